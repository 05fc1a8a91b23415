import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { mapValues } from './json-schema.ts';

/** The members of a problem document that differ between occurrences of a code. */
interface ProblemExample {
  readonly detail: string;
  readonly members?: object;
}

const signatureBase = [
  '"@method": GET',
  '"@authority": auth.example.org',
  '"@path": /api/service/users/ada/access',
  '"@signature-params": ("@method" "@authority" "@path");created=1795202051;nonce="b7f1c2d9e0a84f36";keyid="svk_k1_billing_01KB3Z8Q6V0M5E7R9T1W3Y5A7C"',
].join('\n');

/** Details as the service words them. */
const problems: Readonly<Record<ErrorCode, ProblemExample>> = {
  invalid_request: {
    detail: '#/until is allowed only with the status "disabled"',
    members: { errors: [{ pointer: '#/until', detail: 'is allowed only with the status "disabled"' }] },
  },
  reason_required: { detail: 'Changes in the application billing require a reason. Add a "reason" that says why.' },
  malformed_json: { detail: 'The body cannot be parsed as JSON in UTF-8.' },
  signature_missing: { detail: 'the request has no "signature-input" header' },
  signature_malformed: { detail: 'Signature-Input: parameter "nonce" must have 16 to 64 characters, not 8' },
  component_missing: { detail: 'Signature-Input: "content-digest" must be covered' },
  clock_skew: {
    detail: '"created" is 1001 seconds behind the server\'s clock; at most 300 are allowed',
    members: { serverTime: '2026-11-20T19:14:11.123Z', created: 1795201051, windowSeconds: 300 },
  },
  signature_mismatch: {
    detail: 'the signature does not match this request and key; compare the signature base',
    members: { signatureBase },
  },
  digest_mismatch: {
    detail: 'Content-Digest: not the SHA-256 of the 21 bytes received',
    members: { receivedBytes: 21 },
  },
  token_missing: { detail: 'Send the token of a connection in Authorization: Bearer svt_…' },
  token_invalid: { detail: 'This is not a token of this service. Check that it was copied completely.' },
  user_unidentified: { detail: 'The request has neither a token nor a name of a user.' },
  key_revoked: { detail: 'This API key was revoked. Use another one.' },
  key_expired: { detail: 'This API key expired at 2026-11-20T09:00:00.000Z. Use another one.' },
  access_denied: {
    detail: 'The user may not do this in the application billing.',
    members: { reason: 'user_blocked' },
  },
  scope_missing: { detail: 'Requires the scope roles:write; the API key has access:read.' },
  role_required: {
    detail: 'Requires the support role for the application billing; you have viewer.',
    members: { requiredRole: 'support' },
  },
  address_not_allowed: { detail: 'Requests from 203.0.113.9 are not allowed.' },
  user_not_found: { detail: 'There is no user with this id. Create the user first.' },
  role_not_found: { detail: 'The application has no role "editor".' },
  application_not_found: { detail: 'There is no application with this id.' },
  connection_not_found: { detail: 'There is no connection with this id.' },
  key_not_found: { detail: 'There is no key with this id here.' },
  webhook_not_found: { detail: 'The application has no webhook with this id.' },
  change_not_found: { detail: 'The history of the user has no change with this id.' },
  route_not_found: { detail: 'This path does not exist.' },
  nonce_replayed: {
    detail:
      'This nonce was already used for another call or with the same signature. Sign a new call with a new nonce; retry a call with its nonce and a later "created".',
  },
  already_exists: { detail: 'This id is taken. Choose another id.' },
  application_in_use: {
    detail: 'Users have explicit access or roles in this application. Remove them first, or send ?force=true.',
  },
  role_in_use: { detail: 'Users hold this role. Revoke it first, or send ?force=true.' },
  not_undoable: { detail: "Only changes of a user's status, access or roles can be undone." },
  too_many_keys: { detail: 'There can be at most 10 unexpired keys. Revoke one first.' },
  too_many_webhooks: { detail: 'An application can have at most 5 webhooks. Delete one first.' },
  idempotency_key_reused: {
    detail: 'This Idempotency-Key was used before for another request. Send a new one with each new request.',
  },
  too_many_requests: {
    detail: 'The application sends more than its limit of 200 requests per second. Try again in 3 s.',
  },
  cursor_expired: {
    detail: 'Changes can be followed for 30 days. Read the snapshot, then continue with its changesCursor.',
  },
  version_mismatch: {
    detail: 'The access is at version 4. Re-read it and try again.',
    members: { version: 4 },
  },
  body_too_large: { detail: 'The body has 16385 bytes; the limit is 16384.' },
  unsupported_media_type: { detail: 'Send the body with Content-Type: application/json.' },
  internal: { detail: 'An unexpected error occurred. Report the request id.' },
  unavailable: { detail: 'The database did not respond. Try again.' },
};

/** `components.examples` of the document: a complete problem document for each code. */
export const problemExamples = mapValues(problems, ({ detail, members }, code) => {
  const { status, title } = errorCatalogue[code];
  const value = {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    requestId: 'KxYz1iQrDoEEJfA=',
    ...members,
  };
  return { summary: title, value };
});
