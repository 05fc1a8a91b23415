import type { ApplicationView } from '#shared/contract/management.ts';
import type { Application } from '#shared/table/application.ts';

/** What an operator sees of an application; its keys are a list of their own. */
export function applicationView({ appId, name, version, createdAt, updatedAt }: Application): ApplicationView {
  return { appId, name, version, createdAt, updatedAt };
}
