/** Every error that a caller can see: its HTTP status and its title (RFC 9457 section 3.1.3: the same for each occurrence). */
export const errorCatalogue = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  signature_missing: { status: 401, title: 'The request is not signed' },
  signature_malformed: { status: 401, title: 'The signature cannot be read' },
  component_missing: { status: 401, title: 'The signature does not cover enough' },
  clock_skew: { status: 401, title: 'The signature is too old or from the future' },
  signature_mismatch: { status: 401, title: 'The signature does not match the request' },
  digest_mismatch: { status: 401, title: 'The body is not the one that was signed' },
  key_revoked: { status: 401, title: 'The API key is revoked' },
  key_expired: { status: 401, title: 'The API key has expired' },
  scope_missing: { status: 403, title: 'The API key may not do this' },
  user_not_found: { status: 404, title: 'There is no such user' },
  role_not_found: { status: 404, title: 'There is no such role' },
  application_not_found: { status: 404, title: 'There is no such application' },
  key_not_found: { status: 404, title: 'There is no such API key' },
  route_not_found: { status: 404, title: 'There is no such endpoint' },
  nonce_replayed: { status: 409, title: 'This request was already received' },
  already_exists: { status: 409, title: 'It already exists' },
  application_in_use: { status: 409, title: 'The application is in use' },
  role_in_use: { status: 409, title: 'The role is in use' },
  too_many_keys: { status: 409, title: 'The application has too many API keys' },
  version_mismatch: { status: 412, title: 'Somebody else changed it meanwhile' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'The service cannot answer right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One thing that is wrong: `#/status` names a body member, `path:`, `query:` and `header:` the rest of the request. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/** The body of every error, `application/problem+json` (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  /** `signatureBase`, `serverTime` and other members of single codes. */
  readonly [member: string]: unknown;
}
