import type { AccessSetting, Grant } from '../client-interface.ts';
import type { Access } from '../service-contract.ts';
import type { FakeFailure } from './fake-failures.ts';
import type { FakeScope, IssuedKey } from './service-instance.ts';

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
  /** The time of the test double, in milliseconds. */
  readonly now: () => number;
}

/** A request that the test double received, with the status of its answer; undefined if there was none. */
export interface FakeRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number | undefined;
}

/**
 * A service in memory, for the tests of an application: the code of the service itself, over a table in memory. What a test
 * sets is checked as the service checks it: the promise rejects for an unknown user or an end in the past.
 */
export interface FakeAuthService {
  /** Answers a request of the client, to whose `fetch` option it belongs. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** All that a client needs, `fetch` and `now` included; with a key of all scopes. */
  readonly options: FakeClientOptions;
  /** All requests, the oldest first. */
  readonly requests: readonly FakeRequest[];

  createUser(userId: string): Promise<void>;
  /** An inactive user may enter no application. */
  setUserStatus(userId: string, status: 'active' | 'inactive'): Promise<void>;
  /** Erases a user with all that was set. */
  deleteUser(userId: string): Promise<void>;
  defineRole(role: string): Promise<void>;
  /** Sets the percentage of users without an explicit status who may enter. */
  setRollout(percent: number): Promise<void>;

  /** Enables or disables a user, as an operator: what is left out is cleared. */
  setAccess(userId: string, setting: AccessSetting): Promise<void>;
  assignRole(userId: string, grant: Grant | string): Promise<void>;
  revokeRole(userId: string, role: string): Promise<void>;
  /** Reads the effective access. */
  getAccess(userId: string): Promise<Access>;

  /** The time by which blocks, grants and signatures end. */
  now(): Date;
  /** Moves that time, also for clients and replicas with these `options`. */
  advance(seconds: number): void;

  /** Issues another key; with all scopes by default. */
  issueKey(scopes?: readonly FakeScope[]): Promise<IssuedKey>;
  revokeKey(keyId: string): Promise<void>;
  /** Lets all cursors of changes expire that were given until now. */
  expireCursors(): void;
  /** Fails the next requests: `times` of them, or all until `recover`. */
  fail(failure: FakeFailure, options?: { readonly times?: number | undefined }): void;
  recover(): void;
}
