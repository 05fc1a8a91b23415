/**
 * The member with the internals of a client for the other entry points, even those of another copy of the package. Not part of
 * the public API.
 */
export const internals: unique symbol = /* @__PURE__ */ Symbol.for('auth-service/internals') as never;
