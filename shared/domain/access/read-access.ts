import type { Access } from '#shared/contract/access.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { type AccessSubject, readCurrentAccess } from '#shared/table/items/access-item.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { requireUser } from '#shared/table/items/user-item.ts';
import { authorize, isActive } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';
import { decideAccess } from './decide-access.ts';

/**
 * The effective access of the user in the application: one read, no write. If `keyStateCacheSeconds` is set, the read
 * omits an application whose cached copy allows this request and has a full rollout; a cached copy never refuses. So for
 * that time reads ignore that a key was revoked, or that a full rollout was lowered; all other changes apply immediately.
 */
export async function getAccess(subject: AccessSubject, context: RequestContext): Promise<Access> {
  const requestedAt = now();
  const cached = cachedApplication(subject.appId, requestedAt);
  const known = cached !== undefined && allows(cached, context, requestedAt) ? cached : undefined;
  const current = await readCurrentAccess({ ...subject, application: known });
  const at = now();
  const application = await authorize(context, current.application, at);
  if (known === undefined) cacheApplication(application, requestedAt);
  return decideAccess({ application, user: requireUser(current.user), access: current.access }, at);
}

/** Whether every user without an explicit status is enabled, and the key of the request is valid and has the scope. */
function allows({ keys, rolloutPercent }: Application, context: RequestContext, at: Date): boolean {
  if (rolloutPercent < fullRollout || context.caller.kind !== 'api-key' || !('requiredScope' in context)) return false;
  const key = keys[context.caller.keyId];
  return key !== undefined && isActive(key, at) && key.scopes.includes(context.requiredScope);
}

interface CachedApplication {
  readonly application: Application;
  readonly requestedAt: Date;
}

const maxCachedApplications = 1000;
const applicationCache = new Map<AppId, CachedApplication>();

/** The application as this process read it at most `keyStateCacheSeconds` ago; by default none is cached. */
function cachedApplication(appId: AppId, at: Date): Application | undefined {
  const { application, requestedAt } = applicationCache.get(appId) ?? {};
  if (application === undefined || requestedAt === undefined) return undefined;
  const age = at.getTime() - requestedAt.getTime();
  return age >= 0 && age < config().keyStateCacheSeconds * 1000 ? application : undefined;
}

/** Caches an application with the time at which its read began, because its state may be that old. */
function cacheApplication(application: Application, requestedAt: Date): void {
  if (config().keyStateCacheSeconds === 0) return;
  applicationCache.delete(application.appId);
  const [oldest] = applicationCache.keys();
  if (applicationCache.size >= maxCachedApplications && oldest !== undefined) applicationCache.delete(oldest);
  applicationCache.set(application.appId, { application, requestedAt });
}
