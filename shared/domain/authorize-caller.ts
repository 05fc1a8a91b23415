import type { Scope } from '#shared/contract/routes.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { Application, KeyState } from '#shared/table/application.ts';
import { hasPassed } from './decide-access.ts';
import { presentApplication } from './present-application.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Refuses a caller that may not enter this application at all; answers what it may do there. Comes after a valid MAC,
 * so `key_revoked` and `key_expired` tell nothing to a stranger. Operators are let in by the Management API's doors.
 */
export function authorizeCaller(
  { caller }: RequestContext,
  application: Application | undefined,
  at: Date,
): Authorized {
  if (caller.kind === 'operator') return { application: presentApplication(application), scopes: 'all' };
  const key = application?.keys[caller.keyId];
  // The MAC was valid, so the key was issued once: an application or key that is gone was taken away.
  if (application === undefined || key === undefined || key.revokedAt !== null) {
    throw new ServiceError('key_revoked', { detail: 'This API key was revoked. Use another one.' });
  }
  if (hasPassed(key.expiresAt, at)) {
    throw new ServiceError('key_expired', { detail: `This API key expired at ${key.expiresAt}. Use another one.` });
  }
  return { application, scopes: key.scopes };
}

/** An application and what the caller may do in it. */
export interface Authorized {
  readonly application: Application;
  readonly scopes: KeyState['scopes'] | 'all';
}

/** Refuses a caller whose key lacks the scope: 403. */
export function requireScope({ scopes }: Authorized, scope: Scope): void {
  if (scopes === 'all' || scopes.includes(scope)) return;
  throw new ServiceError('scope_missing', {
    detail: `This takes the scope ${scope}; the API key has ${scopes.join(', ') || 'none'}.`,
  });
}
