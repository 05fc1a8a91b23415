/**
 * Under this name a client has what this package's other entries need of it, also a client of another copy of the package.
 * Not part of what applications may use.
 */
export const internals: unique symbol = /* @__PURE__ */ Symbol.for('auth-service/internals') as never;
