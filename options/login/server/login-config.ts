import { loginConfig } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';

const missing = 'This deployment has no login: see its setting login.';

/** The id of the user pool of people; refuses where the deployment has none. */
export function requireLoginPool(): string {
  const pool = loginPoolOrNone();
  if (pool !== undefined) return pool;
  throw new ServiceError('invalid_request', { detail: missing });
}

/** The id of the user pool of people; undefined where the deployment has none. */
export function loginPoolOrNone(): string | undefined {
  return loginConfig().pool;
}

/** Why what is set of a login has no effect; undefined where the deployment has a login. */
export function missingLogin(): string | undefined {
  return loginPoolOrNone() === undefined ? missing : undefined;
}

/** The issuer by which applications find the login; `null` where the deployment has none. */
export function issuerOf(): string | null {
  return loginConfig().issuer ?? null;
}
