import { variable } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';

/** Where people log in. */
export interface LoginConfig {
  /** The id of the user pool; undefined if the deployment has none, or the process does not need it. */
  readonly pool: string | undefined;
  /** The issuer of its tokens, by which applications find it. */
  readonly issuer: string | undefined;
  /** The function that brings the pool up to date; undefined in a process that cannot invoke it. */
  readonly synchronizer: string | undefined;
}

/** Read at each call: a local run sets it after the process has started. */
export function loginConfig(): LoginConfig {
  return {
    pool: variable('LOGIN_POOL_ID'),
    issuer: variable('LOGIN_ISSUER'),
    synchronizer: variable('SYNC_LOGIN_FUNCTION'),
  };
}

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
