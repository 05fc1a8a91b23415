import type { AppId } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import type { Application } from '#shared/table/application.ts';

interface Kept {
  readonly application: Application;
  readonly askedAt: Date;
}

const capacity = 1000;
const kept = new Map<AppId, Kept>();

/** The application as this process read it up to `keyStateCacheSeconds` ago; by default none is kept. */
export function keptApplication(appId: AppId, at: Date): Application | undefined {
  const { application, askedAt } = kept.get(appId) ?? {};
  if (application === undefined || askedAt === undefined) return undefined;
  const age = at.getTime() - askedAt.getTime();
  return age >= 0 && age < config.keyStateCacheSeconds * 1000 ? application : undefined;
}

/** Keeps an application that was asked for at a moment, before which its state may be of. */
export function keepApplication(application: Application, askedAt: Date): void {
  if (config.keyStateCacheSeconds === 0) return;
  kept.delete(application.appId);
  if (kept.size >= capacity) kept.delete(kept.keys().next().value as AppId);
  kept.set(application.appId, { application, askedAt });
}
