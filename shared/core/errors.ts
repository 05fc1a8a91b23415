import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type { FieldError } from '#shared/contract/problem.ts';

export interface ServiceErrorOptions {
  /** What went wrong this time and what to do; sent to the caller. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Further members of the problem document, such as `serverTime`; sent to the caller. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged, never sent. */
  readonly cause?: unknown;
}

/** The only error a caller learns of; everything else thrown is a silent 500 and a loud log. */
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

/** A request whose field is wrong: 400 `invalid_request`. */
export function invalidField(pointer: string, detail: string): ServiceError {
  return new ServiceError('invalid_request', { detail: `${pointer} ${detail}`, errors: [{ pointer, detail }] });
}
