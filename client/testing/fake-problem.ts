import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { nonceHeaderOf } from '#shared/signature/base.ts';
import type { ErrorCode } from '../service-contract.ts';

/** A refusal of the test double, with what its problem document says besides. */
export class FakeProblem extends Error {
  readonly code: ErrorCode;
  readonly members: object;

  constructor(code: ErrorCode, detail: string, members: object = {}) {
    super(detail);
    this.code = code;
    this.members = members;
  }
}

/** The refusal of a request with a wrong field, which a pointer such as `#/until` names. */
export function invalidField(pointer: string, detail: string): FakeProblem {
  return new FakeProblem('invalid_request', `${pointer} ${detail}`, { errors: [{ pointer, detail }] });
}

/** The problem document of a refusal, as the service answers it. */
export function problemResponse(
  { code, message, members }: FakeProblem,
  { headers }: Request,
  requestId: string,
): Response {
  const { status, title } = errorCatalogue[code];
  const problem = { type: `/docs/errors#${code}`, title, status, detail: message, code, requestId, ...members };
  return new Response(JSON.stringify(problem), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'apigw-requestid': requestId,
      ...nonceHeaderOf(headers.get('signature-input')),
    },
  });
}
