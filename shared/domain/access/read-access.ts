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
 * What holds now for the user in the application: one read, no write. Where `keyStateCacheSeconds` is set, that read
 * leaves out an application that was read before, that allows this request and is open to everybody; a cached one never
 * refuses. So a rollout that is lowered from 100 counts for reads only after that time, and every other change at once.
 */
export async function getAccess(subject: AccessSubject, context: RequestContext): Promise<Access> {
  const askedAt = now();
  const cached = cachedApplication(subject.appId, askedAt);
  const known = cached !== undefined && allows(cached, context, askedAt) ? cached : undefined;
  const current = await readCurrentAccess({ ...subject, application: known });
  const at = now();
  const application = await authorize(context, current.application, at);
  if (known === undefined) cacheApplication(application, askedAt);
  return decideAccess({ application, user: requireUser(current.user), access: current.access }, at);
}

/** Whether every user without an explicit status is enabled, and the key of the request allows it. */
function allows({ keys, rolloutPercent }: Application, context: RequestContext, at: Date): boolean {
  if (rolloutPercent < fullRollout || context.caller.kind !== 'api-key' || !('requiredScope' in context)) return false;
  const key = keys[context.caller.keyId];
  return key !== undefined && isActive(key, at) && key.scopes.includes(context.requiredScope);
}

interface CachedApplication {
  readonly application: Application;
  readonly askedAt: Date;
}

const maxCachedApplications = 1000;
const applicationCache = new Map<AppId, CachedApplication>();

/** The application as this process read it up to `keyStateCacheSeconds` ago; by default none is cached. */
function cachedApplication(appId: AppId, at: Date): Application | undefined {
  const { application, askedAt } = applicationCache.get(appId) ?? {};
  if (application === undefined || askedAt === undefined) return undefined;
  const age = at.getTime() - askedAt.getTime();
  return age >= 0 && age < config().keyStateCacheSeconds * 1000 ? application : undefined;
}

/** Keeps an application under the time at which it was asked for: its state may be as old as that. */
function cacheApplication(application: Application, askedAt: Date): void {
  if (config().keyStateCacheSeconds === 0) return;
  applicationCache.delete(application.appId);
  const [oldest] = applicationCache.keys();
  if (applicationCache.size >= maxCachedApplications && oldest !== undefined) applicationCache.delete(oldest);
  applicationCache.set(application.appId, { application, askedAt });
}
