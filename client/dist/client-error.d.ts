import type { ErrorCode as ServiceErrorCode } from './service-contract.js';
/** Every failure of a call except the caller's own `AbortSignal`: its class says what to do, `code` what exactly failed. */
export declare class AuthServiceError extends Error {
  readonly name = 'AuthServiceError';
  /** Stable; what to branch on. */
  readonly code: ErrorCode;
  /** What went wrong this time. */
  readonly detail: string;
  /** Of the HTTP answer; undefined when there was none. */
  readonly status?: number;
  /** With it the service's operators find the request. */
  readonly requestId?: string;
  /** How many requests the call has sent. */
  attempts?: number;
  /** How long the server asks to wait before the next request. */
  readonly retryAfterSeconds?: number;
  /** The problem document (RFC 9457) as it was answered. */
  readonly problem?: Readonly<Record<string, any>>;
  constructor(failure: Failure);
}
/** What is known about a failure. */
export interface Failure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly status?: number;
  readonly requestId?: unknown;
  readonly retryAfterSeconds?: number | undefined;
  readonly problem?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}
/** The service does not accept the arguments. Nothing has changed. */
export declare class InvalidRequestError extends AuthServiceError {}
/** The key or its signature was refused; the detail of a `signature_mismatch` says where the signature bases first differ. */
export declare class SignatureError extends AuthServiceError {}
/** The API key lacks the scope, or the service accepts no requests from this address. */
export declare class ForbiddenError extends AuthServiceError {}
/** There is no such user, who therefore has no access, or no such role. */
export declare class NotFoundError extends AuthServiceError {}
/** The access was not at `ifVersion`, and nothing has changed: read it again and decide again. */
export declare class VersionMismatchError extends AuthServiceError {}
/**
 * Too many requests, no answer, or a service that is not available, also after all retries. A write may have taken effect
 * or not: read the access before you repeat it, as a new call can undo what others have changed since.
 */
export declare class UnavailableError extends AuthServiceError {}
/** An answer that this service does not define: an internal error, a proxy's page, a redirect, another user's access. */
export declare class UnexpectedAnswerError extends AuthServiceError {}
/** The error class of each status; any other status is an UnexpectedAnswerError. */
export declare const errorClasses: Readonly<Record<number, typeof AuthServiceError>>;
/** The service's codes, and the client's own: there was no answer, or one that the service does not define. */
export type ErrorCode = ServiceErrorCode | 'no_answer' | 'unexpected_answer';
