import type { ChangedAccess, SetAccessBody } from '#shared/contract/access.ts';
import { invalidField } from '#shared/core/errors.ts';
import type { AccessCommand } from './access-change.ts';
import { changeAccess } from './change-access.ts';
import { decideStatusChange } from './decide-status-change.ts';
import { refuseUnsoundEnd } from './refuse-unsound-end.ts';
import type { RequestContext } from './request-context.ts';

/** Sets the status of one user in one application; touches neither the user nor any other application. */
export async function setAccess(
  command: AccessCommand & { readonly setting: SetAccessBody },
  context: RequestContext,
): Promise<ChangedAccess> {
  const { setting } = command;
  refuseUnsoundSetting(setting, context);
  return changeAccess(command, context, {
    scope: 'access:write',
    decide: ({ access }) => decideStatusChange(access, setting),
  });
}

/** Refuses an end where there is nothing to end, or none that makes sense. */
export function refuseUnsoundSetting({ status, until }: SetAccessBody, context: RequestContext): void {
  if (until !== null && status !== 'disabled') {
    throw invalidField('#/until', 'goes only with the status "disabled"');
  }
  refuseUnsoundEnd('#/until', until, context);
}
