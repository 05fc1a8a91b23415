import type { AppId } from '#shared/contract/ids.ts';
import type { ApplicationView } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { createApplicationEntry } from '#shared/table/application.ts';
import { applicationView } from './application-view.ts';
import { createWithRecord } from './create-with-record.ts';
import type { RequestContext } from './request-context.ts';

/** Creates an application without keys or roles; 409 if its id was ever taken. */
export async function createApplication(
  { appId, name }: { readonly appId: AppId; readonly name: string },
  context: RequestContext,
): Promise<ApplicationView> {
  const at = now().toISOString();
  const application = { appId, name, keys: {}, version: 1, createdAt: at, updatedAt: at };
  await createWithRecord(createApplicationEntry(application), context, {
    action: 'application.created',
    at,
    appId,
    before: null,
    after: { name, version: 1 },
    reason: null,
  });
  return applicationView(application);
}
