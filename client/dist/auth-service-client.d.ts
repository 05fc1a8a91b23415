import { type AuthServiceClientOptions } from './create-send.js';
import type { Access, Change, ChangedAccess } from './service-contract.js';
/** Options of every call. */
export interface CallOptions {
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
/** Options of every write. */
export interface WriteOptions extends CallOptions {
  /** The `version` that the access must still have; otherwise VersionMismatchError, and nothing has changed. */
  readonly ifVersion?: number | undefined;
}
/** The whole new setting: what is left out is removed. */
export interface AccessSetting {
  readonly status: 'enabled' | 'disabled';
  /** At most 256 characters, shown to operators. */
  readonly reason?: string | null | undefined;
  /** When a block ends by itself; only with `disabled`. */
  readonly until?: string | Date | null | undefined;
}
/** A role to assign. */
export interface Grant {
  readonly role: string;
  /** When the grant ends by itself; never by default. */
  readonly expiresAt?: string | Date | null | undefined;
}
/** Where reading of changes begins, and whether it waits for new ones. */
export interface ChangesOptions extends CallOptions {
  /** The `cursor` of a page; without one the history is read from its beginning. */
  readonly after?: string | null | undefined;
  /** Never ends: asks again after this many seconds when there is nothing new. Without it the iteration ends with the last change. */
  readonly pollSeconds?: number | undefined;
}
/** Consecutive changes, at least one, the oldest first. */
export interface ChangePage {
  readonly items: readonly Change[];
  /** Where the next page begins: store it when this page is processed. */
  readonly cursor: string;
}
/**
 * Reads and changes access as one application, whose API key it holds. Each request is signed; 429, 503 and lost answers
 * are retried with a new signature under the nonce of the call, so that a write takes effect once: a retry is answered with
 * what the first request did, whatever has changed since. It fails closed: an error or an unexpected answer never counts as
 * "enabled".
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from 'auth-service/client';
 *
 * const client = new AuthServiceClient({
 *   baseUrl: 'https://auth.example.com',
 *   keyId: process.env.AUTH_KEY_ID ?? '',
 *   secret: process.env.AUTH_SECRET ?? '',
 * });
 * if (!(await client.isAllowed('ada'))) throw new Error('Ada may not enter');
 * ```
 */
export declare class AuthServiceClient {
  #private;
  /** Throws a TypeError for invalid options. */
  constructor(options: AuthServiceClientOptions);
  /**
   * Whether the user has access to the application now. False for users that the service does not know; throws whenever
   * there is no valid answer.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const mayEnter = await client.isAllowed('auth0|123', { signal: AbortSignal.timeout(2000) });
   * ```
   */
  isAllowed(userId: string, options?: CallOptions): Promise<boolean>;
  /**
   * Reads the user's access to the application. Obey `effectiveStatus`: roles are listed also while it is `disabled`.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const { effectiveStatus, roles } = await client.getAccess('ada');
   * const mayEdit = effectiveStatus === 'enabled' && roles.some(({ name }) => name === 'editor');
   * ```
   */
  getAccess(userId: string, options?: CallOptions): Promise<Access>;
  /**
   * Enables or disables the user's access to the application.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const until = new Date(Date.now() + 2 * 3600 * 1000);
   * await client.setAccess('ada', { status: 'disabled', reason: 'card stolen', until });
   *
   * const { version } = await client.getAccess('ada');
   * await client.setAccess('ada', { status: 'enabled' }, { ifVersion: version });
   * ```
   */
  setAccess(userId: string, setting: AccessSetting, options?: WriteOptions): Promise<ChangedAccess>;
  /**
   * Assigns a role of the application to the user.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * await client.assignRole('ada', 'viewer');
   * await client.assignRole('ada', { role: 'editor', expiresAt: '2027-01-31T12:00:00Z' });
   * ```
   */
  assignRole(userId: string, grant: Grant | string, options?: WriteOptions): Promise<ChangedAccess>;
  /**
   * Revokes a role of the application from the user.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const { changed } = await client.revokeRole('ada', 'editor');
   * ```
   */
  revokeRole(userId: string, role: string, options?: WriteOptions): Promise<ChangedAccess>;
  /**
   * Reads the changes of the application in their order, about 15 seconds after they happened, page by page. Store the
   * `cursor` of a page once it is processed; after an interruption an unprocessed page comes again.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   * declare const store: { load(): Promise<string | null>; save(cursor: string): Promise<void> };
   *
   * for await (const { items, cursor } of client.changes({ after: await store.load(), pollSeconds: 15 })) {
   *   for (const { userId } of items) {
   *     if (userId && !(await client.isAllowed(userId))) console.log(`End the sessions of ${userId}`);
   *   }
   *   await store.save(cursor);
   * }
   * ```
   */
  changes({ after, pollSeconds, signal }?: ChangesOptions): AsyncGenerator<ChangePage, void>;
}
