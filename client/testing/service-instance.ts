import type { ApiKey } from '../client-key.ts';
import type { Access, AccessSetting, Grant } from '../service-contract.ts';

/** The globals that an instance of the service uses instead of those of the process. */
export interface ServiceGlobals {
  readonly Date: DateConstructor;
  readonly process: { readonly env: Readonly<Record<string, string>> };
}

/** A permission of a key. */
export type FakeScope = 'access:read' | 'access:write' | 'roles:write';

/** A newly issued key. */
export type IssuedKey = ApiKey & {
  /** Signs requests. */
  readonly secret: string;
};

/** An instance of the service with its own table, root key and caches, for one application. */
export interface ServiceInstance {
  /** Answers a request as an HTTP API in front of the service's functions does. */
  receive(request: Request, requestId: string): Promise<Response>;
  /** Answers with an error of the service. */
  refuse(code: string, request: Request, requestId: string): Response;
  /** Removes expired items, as the table does. */
  removeExpiredItems(): void;

  createApplication(appId: string): Promise<void>;
  setRollout(appId: string, percent: number): Promise<void>;
  issueKey(appId: string, scopes: readonly FakeScope[]): Promise<IssuedKey>;
  revokeKey(appId: string, keyId: string): Promise<void>;
  defineRole(appId: string, role: string): Promise<void>;
  createUser(userId: string): Promise<void>;
  setUserStatus(userId: string, status: 'active' | 'inactive'): Promise<void>;
  deleteUser(userId: string): Promise<void>;
  setAccess(appId: string, userId: string, setting: AccessSetting): Promise<void>;
  assignRole(appId: string, userId: string, grant: Grant): Promise<void>;
  revokeRole(appId: string, userId: string, role: string): Promise<void>;
  getAccess(appId: string, userId: string): Promise<Access>;
}
