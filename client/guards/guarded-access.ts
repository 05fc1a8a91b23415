import type { GuardedAccess } from './access-source.ts';

/** In one place for all copies of the package in a process: an ES module may guard what a CommonJS module asks about. */
const key = Symbol.for('auth-service.guarded-access');

/** Keeps the access of a request for as long as the request. */
export function rememberAccess(request: object, access: GuardedAccess): void {
  accesses().set(request, access);
}

/** The access with which a guard let the request pass, in Hono the context; throws if no guard has. */
export function getAccess(request: object): GuardedAccess {
  const access = accesses().get(request);
  if (access !== undefined) return access;
  throw new Error('No guard has let this request pass: add guard(...) to its route, before what calls getAccess');
}

function accesses(): WeakMap<object, GuardedAccess> {
  const shared: typeof globalThis & { [key]?: WeakMap<object, GuardedAccess> } = globalThis;
  shared[key] ??= new WeakMap();
  return shared[key];
}
