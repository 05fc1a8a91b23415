import { AuthServiceError, brand, type Failure } from '../client-error.ts';

/** What is known about a failed call of the Management API. */
export interface ManagementFailure extends Failure {
  /** Whether a request may have reached the service. */
  readonly isSent: boolean;
}

/**
 * A failed call of the Management API: `code` says what failed, `problem` is the problem document (RFC 9457) of the service, if it
 * has answered. `no_answer`: the service did not answer, after all retries; `unexpected_answer`: the response is not the service's,
 * such as a proxy's or IAM's; `no_credentials`: there is nothing to sign with; `aborted`: the signal of the call aborted.
 */
export class ManagementError extends AuthServiceError {
  // The statuses of responses stand for the classes of the Service API.
  static override readonly kind: number = 1;
  static override readonly name: string = 'ManagementError';
  /** Whether a request may have reached the service. If there was no answer, a write may then have taken effect. */
  declare readonly isSent: boolean;

  constructor(failure: ManagementFailure) {
    super(failure);
    this.message = failure.detail;
    // Copies of this package recognize a class that is derived from this one as this one, too.
    Object.assign(this, { [brand]: [0, ManagementError.kind, new.target.kind] });
  }
}

/** Why a request was given up: its answer took too long. */
export class AnswerTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
  }
}
