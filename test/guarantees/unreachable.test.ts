import { expect, test } from '@jest/globals';
import type { KeyId } from '#shared/contract/fields.ts';
import { apiWithoutTable } from '../support/api-without-table.ts';
import { sendSigned } from '../support/send-request.ts';

const startApi = apiWithoutTable();
const keyId = 'svk_k1_billing_01JD0000000000000000000000' as KeyId;

test('every endpoint answers 503 within its timeout, and never 401, if DynamoDB never answers', async () => {
  const { api, root } = await startApi();
  const { deriveSecret } = await import('#shared/keys/key-id.ts');
  const key = { keyId, secret: deriveSecret(root, keyId) };

  const requests = [
    ['GET', '/api/service/users/ada/access', undefined],
    ['PUT', '/api/service/users/ada/access', { status: 'disabled' }],
    ['POST', '/api/service/roles/ada/assign', { role: 'editor' }],
    ['DELETE', '/api/service/users/ada/revoke', { role: 'editor' }],
  ] as const;
  // A function that exceeds its timeout is ended, and its answer has no code.
  const answers = await Promise.all(
    requests.map(([method, target, body]) => sendSigned(api.url, key, [method, target], { body })),
  );
  const expected = [503, 'unavailable', '1'];
  expect(answers.map(({ status, body, headers }) => [status, body.code, headers['retry-after']])).toEqual(
    Array(4).fill(expected),
  );
});
