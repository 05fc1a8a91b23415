import type { ApplicationView, Changed } from '#shared/contract/management.ts';
import { applicationView } from './application-view.ts';
import { type ApplicationCommand, changeApplication } from './change-application.ts';
import type { RequestContext } from './request-context.ts';

/** Renames an application; its id stays. */
export async function updateApplication(
  command: ApplicationCommand & { readonly name: string },
  context: RequestContext,
): Promise<Changed<ApplicationView>> {
  const { name } = command;
  const { application, changed } = await changeApplication(command, context, (current) => {
    if (current.name === name) return undefined;
    return { action: 'application.updated', next: { name }, before: { name: current.name }, after: { name } };
  });
  return { ...applicationView(application), changed };
}
