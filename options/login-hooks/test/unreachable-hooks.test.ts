import { expect, test } from '@jest/globals';
import type { KeyId } from '#shared/contract/fields.ts';
import { apiWithoutTable } from '#test/support/api-without-table.ts';
import { hydraPayload, oktaPayload } from '#test/support/hook-payloads.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';

const startApi = apiWithoutTable();

test('a login hook denies within its timeout if DynamoDB never answers', async () => {
  const { api, root } = await startApi();
  const { deriveToken } = await import('#options/connections/server/connection-token.ts');
  const token = deriveToken(root, 'svc_c1_okta_01JD0000000000000000000000' as KeyId);
  const ask = (target: string, body: object, own = token) => sendWithToken(api, ['POST', target], { token: own, body });
  const [okta, hydra] = await Promise.all([ask('/hooks/okta', oktaPayload()), ask('/hooks/hydra', hydraPayload())]);
  expect([okta.status, okta.body]).toEqual([200, { error: { errorSummary: expect.stringMatching(/^unavailable: /) } }]);
  expect([hydra.status, hydra.body.code]).toEqual([503, 'unavailable']);
});
