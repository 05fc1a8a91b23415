import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type { FieldError } from '#shared/contract/problems.ts';

export interface ServiceErrorOptions {
  /** What went wrong this time and what to do; sent to the caller. */
  readonly detail: string;
  /** The input that is wrong, by the name of its field; the HTTP layer adds where in the request it was. */
  readonly field?: { readonly name: string; readonly detail: string };
  /** The same errors once their places in the request are known. */
  readonly errors?: readonly FieldError[];
  /** Further members of the problem document, such as `serverTime`; sent to the caller. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged, never sent. */
  readonly cause?: unknown;
}

/** The only error whose detail a caller sees; anything else thrown becomes a 500 without detail and an error in the log. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly options: ServiceErrorOptions;

  constructor(code: ErrorCode, options: ServiceErrorOptions) {
    super(`${code}: ${options.detail}`, { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** The error for an invalid field of this name: 400 `invalid_request`. */
export function invalidField(name: string, detail: string): ServiceError {
  return new ServiceError('invalid_request', { detail: `${name} ${detail}`, field: { name, detail } });
}
