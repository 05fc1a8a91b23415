import { expect, jest, test } from '@jest/globals';
import { manageOperations } from '#shared/contract/operations.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from '#shared/http/http-event.ts';
import { inputParser } from '#shared/http/input.ts';
import type { CheckedInput } from '../../dashboard/api/check-input.ts';
import { createApi, type WriteName } from '../../dashboard/api/create-api.ts';
import { createWriter, type Writer } from '../../dashboard/api/create-writer.ts';
import { ProblemError } from '../../dashboard/api/problem-error.ts';

const wrong: readonly [WriteName, CheckedInput][] = [
  ['create-user', { path: { userId: '' }, body: { email: 'ada' } }],
  ['create-user', { path: { userId: 'Ada King' }, body: { displayName: 'x'.repeat(101) } }],
  ['define-role', { path: { appId: 'billing', role: '1st' }, body: { description: '' } }],
  ['create-application', { body: { appId: 'Billing', name: '' } }],
  ['set-user-status', { path: { userId: 'ada' }, body: { status: 'inactive', reason: 'x'.repeat(257) } }],
  ['issue-key', { path: { appId: 'billing' }, body: { scopes: [] } }],
];

test.each(wrong)("%s: invalid input is not sent and fails with the service's errors: %j", async (name, input) => {
  const fetch = jest.spyOn(globalThis, 'fetch');
  const refused = await write(name, input as Parameters<Writer>[1]).catch((error: unknown) => error);
  expect(fetch).not.toHaveBeenCalled();
  expect(refused instanceof ProblemError && refused.errors).toEqual(refusedByService(name, input));
});

const write = createWriter(createApi({ token: () => 'token', renew: async () => true, expire: () => undefined }));

function refusedByService(name: WriteName, { path = {}, body }: CheckedInput) {
  const event: Partial<HttpEvent> = { rawQueryString: '', headers: {}, body };
  try {
    inputParser(manageOperations[name])({ ...path }, event as HttpEvent);
  } catch (error) {
    return error instanceof ServiceError && error.options.errors;
  }
  throw new Error('The service accepts it');
}
