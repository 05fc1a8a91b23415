import type { GuardedAccess } from './access-source.ts';

/** Shared by all copies of the package in a process: an ES module may guard a request that a CommonJS module reads. */
const key = Symbol.for('auth-service.guarded-access');

/** Stores the access of a request for the lifetime of the request. */
export function rememberAccess(request: object, access: GuardedAccess): void {
  accesses().set(request, access);
}

/** The access of a request (in Hono, of a context) that a guard has admitted; throws if no guard has. */
export function getAccess(request: object): GuardedAccess {
  const access = accesses().get(request);
  if (access !== undefined) return access;
  throw new Error('No guard has admitted this request: add guard(...) to its route before you call getAccess');
}

function accesses(): WeakMap<object, GuardedAccess> {
  const shared: typeof globalThis & { [key]?: WeakMap<object, GuardedAccess> } = globalThis;
  shared[key] ??= new WeakMap();
  return shared[key];
}
