import type {
  Access,
  AccessSetting,
  Change,
  ChangedAccess,
  CheckedAccess,
  Grant,
  Revocation,
} from './service-contract.ts';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then throws an error with the code `aborted`; its `cause` is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of every write. */
export interface WriteOptions extends CallOptions {
  /** The `version` that the access must have; otherwise the call throws a VersionMismatchError and changes nothing. */
  readonly ifVersion?: number | undefined;
}

/** Where to start reading changes, and whether to wait for new ones. */
export interface ChangesOptions extends CallOptions {
  /** The `cursor` of a page; by default the history is read from its beginning. */
  readonly after?: string | null | undefined;
  /** Polls for new changes at this interval and never ends; by default the iteration ends with the last change. */
  readonly pollSeconds?: number | undefined;
}

/** Consecutive changes, at least one, oldest first. */
export interface ChangePage {
  /** The changes of this page. */
  readonly items: readonly Change[];
  /** Where the next page begins: store it once this page is processed. */
  readonly cursor: string;
}

/**
 * Reads and changes access as one application, with its API key. Each request is signed. After a 429, a 503 or a lost response
 * the client retries with the nonce of the call and a new signature, so a write takes effect only once: a retry returns the
 * outcome of the first request, whatever has changed since. It fails closed: an error or an unexpected response never counts
 * as "enabled".
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 *
 * const client = new AuthServiceClient({
 *   baseUrl: 'https://auth.example.com',
 *   keyId: process.env.AUTH_KEY_ID ?? '',
 *   secret: process.env.AUTH_SECRET ?? '',
 * });
 * if (!(await client.isAllowed('ada'))) throw new Error('Ada may not enter');
 * ```
 */
export interface AuthServiceClient {
  /**
   * Whether the user has access to the application now. False for unknown users and invalid ids; throws if there is no valid
   * response.
   *
   * @example
   * ```ts
   * declare const client: import('@auth-service/client').AuthServiceClient;
   *
   * const mayEnter = await client.isAllowed('auth0|123', { signal: AbortSignal.timeout(2000) });
   * ```
   */
  isAllowed(userId: string, options?: CallOptions): Promise<boolean>;

  /**
   * Reads the user's access to the application. Obey `effectiveStatus`: roles are listed even while it is `disabled`.
   *
   * @example
   * ```ts
   * declare const client: import('@auth-service/client').AuthServiceClient;
   *
   * const { effectiveStatus, roles } = await client.getAccess('ada');
   * const mayEdit = effectiveStatus === 'enabled' && roles.some(({ name }) => name === 'editor');
   * ```
   */
  getAccess(userId: string, options?: CallOptions): Promise<Access>;

  /**
   * Reads the access of up to 100 users. Returns for each id, in the same order, the access or that the user does not exist.
   *
   * @example
   * ```ts
   * declare const client: import('@auth-service/client').AuthServiceClient;
   *
   * const answers = await client.checkAccess(['ada', 'auth0|123']);
   * const mayEnter = answers.map((answer) => 'effectiveStatus' in answer && answer.effectiveStatus === 'enabled');
   * ```
   */
  checkAccess(userIds: readonly string[], options?: CallOptions): Promise<readonly CheckedAccess[]>;

  /**
   * Enables or disables the user's access to the application.
   *
   * @example
   * ```ts
   * declare const client: import('@auth-service/client').AuthServiceClient;
   *
   * const until = new Date(Date.now() + 2 * 3600 * 1000);
   * await client.setAccess('ada', { status: 'disabled', reason: 'card stolen', ticket: 'INC-1234', until });
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
   * declare const client: import('@auth-service/client').AuthServiceClient;
   *
   * await client.assignRole('ada', 'viewer');
   * await client.assignRole('ada', { role: 'editor', expiresAt: '2027-01-31T12:00:00Z', reason: 'covers for Grace' });
   * ```
   */
  assignRole(userId: string, grant: Grant | string, options?: WriteOptions): Promise<ChangedAccess>;

  /**
   * Revokes a role of the application from the user.
   *
   * @example
   * ```ts
   * declare const client: import('@auth-service/client').AuthServiceClient;
   *
   * const { changed } = await client.revokeRole('ada', 'editor');
   * await client.revokeRole('ada', { role: 'viewer', reason: 'project ended', ticket: 'INC-1234' });
   * ```
   */
  revokeRole(userId: string, revocation: Revocation | string, options?: WriteOptions): Promise<ChangedAccess>;

  /**
   * Reads the changes that concern the application, page by page: its own changes, and the status changes and erasures of all
   * users. Store the `cursor` of a page once it is processed. After an interruption, unprocessed pages are delivered again, and
   * so may be the latest changes. Of two changes of a user, the one with the higher `id` is the later one.
   *
   * @example
   * ```ts
   * declare const client: import('@auth-service/client').AuthServiceClient;
   * declare const store: { load(): Promise<string | null>; save(cursor: string): Promise<void> };
   *
   * for await (const { items, cursor } of client.changes({ after: await store.load(), pollSeconds: 2 })) {
   *   for (const change of items) {
   *     if (!('userId' in change) || (await client.isAllowed(change.userId))) continue;
   *     console.log(`End the sessions of ${change.userId}`);
   *   }
   *   await store.save(cursor);
   * }
   * ```
   */
  changes(options?: ChangesOptions): AsyncGenerator<ChangePage, void>;
}
