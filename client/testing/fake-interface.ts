import type { Access, AccessSetting, Grant } from '../service-contract.ts';
import type { FakeFailure } from './fake-failures.ts';
import type { FakeScope, IssuedKey } from './service-instance.ts';

/** The initial state of the test double. */
export interface FakeOptions {
  /** The application of the keys; `billing` by default. */
  readonly appId?: string;
  /** Ids of users; none by default. */
  readonly users?: readonly string[];
  /** Roles of the application; none by default. */
  readonly roles?: readonly string[];
  /** The rollout percentage of the application; 100 by default. */
  readonly rolloutPercent?: number;
}

/** The options of a client for the test double. */
export interface FakeClientOptions {
  /** The address, which only `fetch` knows. */
  readonly baseUrl: string;
  /** The id of the key. */
  readonly keyId: string;
  /** The secret of the key. */
  readonly secret: string;
  /** Lets the test double answer a request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The clock of the test double, in milliseconds. */
  readonly now: () => number;
}

/** A request that the test double received, with the status of its answer; undefined if there was none. */
export interface FakeRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The HTTP status of the answer; undefined if there was none. */
  readonly status: number | undefined;
}

/**
 * A service in memory, for the tests of an application: the code of the service itself, over a table in memory. Arguments are
 * validated like those of the service: the promise rejects for an unknown user or an expiry in the past.
 */
export interface FakeAuthService {
  /** Answers a request; the `fetch` option of a client. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The complete options of a client, including `fetch` and `now`, with a key that has all scopes. */
  readonly options: FakeClientOptions;
  /** All requests, oldest first. */
  readonly requests: readonly FakeRequest[];

  /** Creates a user. */
  createUser(userId: string): Promise<void>;
  /** Activates or deactivates a user; an inactive user has no access to any application. */
  setUserStatus(userId: string, status: 'active' | 'inactive'): Promise<void>;
  /** Erases a user with all settings and roles. */
  deleteUser(userId: string): Promise<void>;
  /** Defines a role of the application. */
  defineRole(role: string): Promise<void>;
  /** Sets the rollout percentage: the share of users without an explicit status who have access. */
  setRollout(percent: number): Promise<void>;

  /** Enables or disables a user, as an operator: omitted members are cleared. */
  setAccess(userId: string, setting: AccessSetting): Promise<void>;
  /** Assigns a role to a user, as an operator. */
  assignRole(userId: string, grant: Grant | string): Promise<void>;
  /** Revokes a role from a user, as an operator. */
  revokeRole(userId: string, role: string): Promise<void>;
  /** Reads the effective access. */
  getAccess(userId: string): Promise<Access>;

  /** The time by which blocks, grants and signatures expire. */
  now(): Date;
  /** Advances that time, also for clients and replicas with these `options`. */
  advance(seconds: number): void;

  /** Issues another key, with all scopes by default. */
  issueKey(scopes?: readonly FakeScope[]): Promise<IssuedKey>;
  /** Revokes a key, which the service then refuses. */
  revokeKey(keyId: string): Promise<void>;
  /** Expires all cursors of changes returned so far. */
  expireCursors(): void;
  /** Fails the next requests: `times` of them, or all until `recover`. */
  fail(failure: FakeFailure, options?: { readonly times?: number | undefined }): void;
  /** Ends the failures. */
  recover(): void;
}
