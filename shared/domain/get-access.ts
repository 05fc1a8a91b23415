import type { Access } from '#shared/contract/access.ts';
import type { AppId, UserId } from '#shared/contract/ids.ts';
import { now } from '#shared/core/clock.ts';
import type { Application } from '#shared/table/application.ts';
import { readCurrentAccess } from '#shared/table/current-access.ts';
import { authorizeCaller, requireScope } from './authorize-caller.ts';
import { decideAccess } from './decide-access.ts';
import { keepApplication, keptApplication } from './kept-applications.ts';
import { isActive } from './key-states.ts';
import { noteKeyUse } from './note-key-use.ts';
import { presentUser } from './present-user.ts';
import type { RequestContext } from './request-context.ts';

/**
 * What holds now for the user in the application: one read, no write. Where `keyStateCacheSeconds` is set, that read leaves
 * out an application that was read before and lets the caller in; it never refuses by what it remembers.
 */
export async function getAccess(
  subject: { readonly userId: UserId; readonly appId: AppId },
  context: RequestContext,
): Promise<Access> {
  const askedAt = now();
  const kept = keptApplication(subject.appId, askedAt);
  const application = kept !== undefined && mayRead(kept, context, askedAt) ? kept : undefined;
  const current = await readCurrentAccess({ ...subject, application });
  const at = now();
  const authorized = authorizeCaller(context, current.application, at);
  if (application === undefined) keepApplication(authorized.application, askedAt);
  await noteKeyUse(context);
  requireScope(authorized, 'access:read');
  return decideAccess(presentUser(current.user), current.access, at);
}

function mayRead({ keys }: Application, { caller }: RequestContext, at: Date): boolean {
  const key = caller.kind === 'api-key' ? keys[caller.keyId] : undefined;
  return key !== undefined && isActive(key, at) && key.scopes.includes('access:read');
}
