import type { ClientInternals } from './create-send.ts';

/**
 * The member with the internals of a client for the other entry points, even those of another copy of the package. Not part of
 * the public API.
 */
export const internals: unique symbol = /* @__PURE__ */ Symbol.for('auth-service/internals');

/** The internals of a client; undefined for anything else. */
export function internalsOf(client: unknown): ClientInternals | undefined {
  return Object(client)[internals];
}
