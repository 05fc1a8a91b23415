// biome-ignore-all lint/complexity/noThisInStatic: it is the class on the right of `instanceof`
import type { ErrorCode as ServiceErrorCode } from './service-contract.ts';

/** Identifies errors of any copy of this package: a program may load it as an ES module and as CommonJS. */
export const brand = Symbol.for('auth-service/error');

/** A failed call: the class says how to react, `code` what exactly failed. After an abort, `cause` is the signal's reason. */
export class AuthServiceError extends Error {
  /** The status that stands for the class among the copies of this package; 0 is every error. */
  static readonly kind: number = 0;
  // Not by the declaration, which minifiers rename.
  static override readonly name: string = 'AuthServiceError';
  /** Stable; what to branch on. */
  declare readonly code: ErrorCode;
  /** What went wrong this time. */
  declare readonly detail: string;
  /** The HTTP status; undefined if there was no response. */
  declare readonly status?: number;
  /** The id by which the service's operators find the request. */
  declare readonly requestId?: string;
  /** The number of requests that the call sent. */
  declare attempts?: number;
  /** How long to wait before the next request, as the server asks, or until the circuit closes. */
  declare readonly retryAfterSeconds?: number;
  /** The problem document (RFC 9457) in the response. */
  // biome-ignore lint/suspicious/noExplicitAny: its members differ by code, and new ones may be added
  declare readonly problem?: Readonly<Record<string, any>>;

  constructor(failure: Failure) {
    super(`${failure.code}: ${failure.detail}`);
    Object.assign(this, failure, { [brand]: [0, new.target.kind] });
  }

  /** That of the class; not a member of its own, so that the stack begins with it too. */
  override get name(): string {
    return this.constructor.name;
  }

  /** All members of the error, as JSON; none is a secret. */
  toJSON(): object {
    return { ...this, name: this.name };
  }

  /** Also true of errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class that an application derives from one of these has only instances of its own.
    if (!Object.hasOwn(this, 'kind')) return super[Symbol.hasInstance](value);
    return !!(value as Branded<number> | undefined)?.[brand]?.includes(this.kind);
  }
}

interface Branded<Kind extends number> {
  readonly [brand]?: readonly (0 | Kind)[];
}

/** A class of errors. */
export interface ErrorClass<Kind extends number> {
  /** The status that stands for the class among the copies of this package. */
  readonly kind: number;
  /** Its kind tells the classes apart for TypeScript. */
  readonly prototype: AuthServiceError & Branded<Kind>;
  new (failure: Failure): AuthServiceError & Branded<Kind>;
}

/** What is known about a failure. */
export interface Failure {
  /** Stable; what to branch on. */
  readonly code: ErrorCode;
  /** What went wrong this time. */
  readonly detail: string;
  /** The HTTP status; undefined if there was no response. */
  readonly status?: number;
  /** The id by which the service's operators find the request. */
  readonly requestId?: unknown;
  /** How many seconds to wait before the next request. */
  readonly retryAfterSeconds?: number | undefined;
  /** The problem document (RFC 9457) in the response. */
  readonly problem?: Readonly<Record<string, unknown>>;
  /** What caused the failure, such as the error of `fetch`. */
  readonly cause?: unknown;
}

function defineError<const Kind extends number>(name: string, kind: Kind): ErrorClass<Kind> {
  return class extends AuthServiceError {
    static override readonly kind = kind;
    static override readonly name = name;
  };
}

/** The arguments are invalid. Nothing has changed. */
export const InvalidRequestError = /* @__PURE__ */ defineError('InvalidRequestError', 400);
export type InvalidRequestError = InstanceType<typeof InvalidRequestError>;

/** The key or the signature was rejected; the detail of a `signature_mismatch` shows where the signature bases differ. */
export const SignatureError = /* @__PURE__ */ defineError('SignatureError', 401);
export type SignatureError = InstanceType<typeof SignatureError>;

/** The API key lacks the scope, or the service accepts no requests from this address. */
export const ForbiddenError = /* @__PURE__ */ defineError('ForbiddenError', 403);
export type ForbiddenError = InstanceType<typeof ForbiddenError>;

/** The user or the role does not exist. An unknown user has no access. */
export const NotFoundError = /* @__PURE__ */ defineError('NotFoundError', 404);
export type NotFoundError = InstanceType<typeof NotFoundError>;

/** The version of the access is not `ifVersion`. Nothing has changed: read the access and decide again. */
export const VersionMismatchError = /* @__PURE__ */ defineError('VersionMismatchError', 412);
export type VersionMismatchError = InstanceType<typeof VersionMismatchError>;

/**
 * Too many requests, no response, or the service is unavailable, even after all retries. A write may have taken effect: read
 * the access before you repeat it, because a new call can overwrite changes that others have made since.
 */
export const UnavailableError = /* @__PURE__ */ defineError('UnavailableError', 503);
export type UnavailableError = InstanceType<typeof UnavailableError>;

/** A response that the service does not define: an internal error, a proxy's page, a redirect, another user's access. */
export const UnexpectedAnswerError = /* @__PURE__ */ defineError('UnexpectedAnswerError', 500);
export type UnexpectedAnswerError = InstanceType<typeof UnexpectedAnswerError>;

/** The error class of each status; any other status is an UnexpectedAnswerError. */
export const errorClasses: Readonly<Record<number, ErrorClass<number>>> = {
  400: InvalidRequestError,
  401: SignatureError,
  403: ForbiddenError,
  404: NotFoundError,
  409: UnavailableError,
  410: InvalidRequestError,
  412: VersionMismatchError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  429: UnavailableError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/** The service's codes, and the client's own. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode;

/**
 * Errors found by the client itself: no response, or one that the service does not define; the signal of the call aborted;
 * nothing was sent, because the circuit is open, because the option `key` did not return a key, or because a client of the
 * Management API has no AWS credentials.
 */
export type ClientErrorCode =
  | 'no_answer'
  | 'unexpected_answer'
  | 'aborted'
  | 'circuit_open'
  | 'key_invalid'
  | 'no_credentials';
