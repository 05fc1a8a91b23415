/** A request that the profile refuses: the problem's code, a detail, and extension members (RFC 9457 section 3.2). */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly code: SignatureErrorCode;
  readonly detail: string;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: SignatureErrorCode, detail: string, members: Readonly<Record<string, unknown>> = {}) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.members = members;
  }
}

/** The reasons for which the profile refuses a request (RFC 9421 section 3.2). */
export type SignatureErrorCode =
  | 'signature_missing'
  | 'signature_malformed'
  | 'component_missing'
  | 'clock_skew'
  | 'signature_mismatch'
  | 'digest_mismatch';

/** Creates the error for text that RFC 9421 section 4 or this profile does not allow. */
export function malformed(detail: string): SignatureError {
  return new SignatureError('signature_malformed', detail);
}
