import { expect } from '@jest/globals';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type { Answer } from './send-request.ts';

/** Expects a whole problem document of this code (RFC 9457) with these further members and no others. */
export function expectProblem(answer: Answer, code: ErrorCode, members: Record<string, unknown> = {}): void {
  const { status, title } = errorCatalogue[code];
  expect(answer.body).toEqual({
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: expect.stringMatching(/./),
    code,
    requestId: requestIdOf(answer),
    ...members,
  });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
}

/** Expects a 400 that names exactly these fields. */
export function expectInvalid(answer: Answer, ...pointers: readonly string[]): void {
  const errors = pointers.map((pointer) => ({ pointer, detail: expect.stringMatching(/./) }));
  expectProblem(answer, 'invalid_request', { errors });
}

/** The id of the request, in the header of the HTTP API or of the function URL. */
export function requestIdOf({ headers }: Answer): unknown {
  return headers['apigw-requestid'] ?? headers['x-amzn-requestid'];
}
