import type { AccessSetting, Grant } from '../client-interface.ts';
import type { ApiKey } from '../client-key.ts';
import type { Access } from '../service-contract.ts';
import type { FakeFailure } from './fake-failures.ts';
import type { FakeScope } from './fake-keys.ts';

/** What there is at the beginning. */
export interface FakeOptions {
  /** The application of the keys; `billing` by default. */
  readonly appId?: string;
  /** Ids of users; none by default. */
  readonly users?: readonly string[];
  /** Roles of the application; none by default. */
  readonly roles?: readonly string[];
  /** Of the users without an explicit status; 100 by default. */
  readonly rolloutPercent?: number;
}

/** What a client needs to call the test double. */
export interface FakeClientOptions {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A request that the test double received, with the status of its answer; undefined if there was none. */
export interface FakeRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number | undefined;
}

/**
 * A service in memory, for the tests of an application. It decides by the service's own code about what the test sets, and
 * answers signed requests as the service does.
 */
export interface FakeAuthService {
  /** Answers a request of the client, to whose `fetch` option it belongs. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** All that a client needs, `fetch` included; with a key of all scopes. */
  readonly options: FakeClientOptions;
  /** All requests, the oldest first. */
  readonly requests: readonly FakeRequest[];

  createUser(userId: string): void;
  /** An inactive user may enter no application. */
  setUserStatus(userId: string, status: 'active' | 'inactive'): void;
  /** Erases a user with all that was set. */
  deleteUser(userId: string): void;
  defineRole(role: string): void;
  /** Lets so many percent of the users without an explicit status in. */
  setRollout(percent: number): void;

  /** Enables or disables a user, as an operator: what is left out is cleared. */
  setAccess(userId: string, setting: AccessSetting): void;
  assignRole(userId: string, grant: Grant | string): void;
  revokeRole(userId: string, role: string): void;
  /** What holds now. */
  getAccess(userId: string): Access;

  /** The time by which blocks and grants end. */
  now(): Date;
  /** Moves that time. */
  advance(seconds: number): void;

  /** Issues another key; with all scopes by default. */
  issueKey(scopes?: readonly FakeScope[]): ApiKey & { readonly secret: string };
  revokeKey(keyId: string): void;
  /** Lets all cursors of changes that were given until now be too old. */
  expireCursors(): void;
  /** Fails the next requests: so many, or all until `recover`. */
  fail(failure: FakeFailure, options?: { readonly times?: number | undefined }): void;
  recover(): void;
}
