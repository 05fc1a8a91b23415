import type { Access } from '#shared/contract/access.ts';
import type { AppId, UserId } from '#shared/contract/ids.ts';
import { now } from '#shared/core/clock.ts';
import { readCurrentAccess } from '#shared/table/current-access.ts';
import { authorizeCaller, requireScope } from './authorize-caller.ts';
import { decideAccess } from './decide-access.ts';
import { noteKeyUse } from './note-key-use.ts';
import { presentUser } from './present-user.ts';
import type { RequestContext } from './request-context.ts';

/** What holds now for the user in the application: one read, no write. */
export async function getAccess(
  subject: { readonly userId: UserId; readonly appId: AppId },
  context: RequestContext,
): Promise<Access> {
  const current = await readCurrentAccess(subject);
  const at = now();
  const authorized = authorizeCaller(context, current.application, at);
  await noteKeyUse(context);
  requireScope(authorized, 'access:read');
  return decideAccess(presentUser(current.user), current.access, at);
}
