import { expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import type { Key, RequestOptions } from '../support/send-request.ts';
import { send, sendSigned } from '../support/send-request.ts';

const service = describeService();

const nonce = 'b7f1c2d9-e0a8.4f36~!*';

async function request(target: string, options: RequestOptions & { readonly key?: Partial<Key> } = {}) {
  const { key, ...others } = options;
  const method = options.body === undefined ? 'GET' : 'PUT';
  const signing = { nonce, ...others.signing };
  const { status, headers } = await sendSigned(service.url, { ...service.billingKey, ...key }, [method, target], {
    ...others,
    signing,
  });
  return [status, headers['request-nonce']];
}

const access = '/api/service/users/ada/access';

test('every response to a signed request contains its nonce, so that the caller can match it', async () => {
  expect(await request(access)).toEqual([200, nonce]);
  expect(await request('/api/service/users/nobody/access')).toEqual([404, nonce]);
  expect(await request('/api/service/changes?limit=0')).toEqual([400, nonce]);
  expect(await request('/api/service/nothing')).toEqual([404, nonce]);
  expect(await request(access, { key: { secret: `svs_${'A'.repeat(43)}` } })).toEqual([401, nonce]);
  expect(await request(access, { signing: { created: 1 } })).toEqual([401, nonce]);
  expect(await request(access, { body: 'not JSON' })).toEqual([400, nonce]);
});

test('a response has no nonce if the request has none, or one that a header cannot represent', async () => {
  for (const headers of [
    {},
    ...[
      'short',
      'x'.repeat(65),
      'with a space inside',
      String.raw`with-a-\\-inside-of-it`,
      'half-of-a-nonce-is-here',
    ].map((text, at) => ({ 'signature-input': `sig=();nonce="${text}${at === 4 ? '' : '"'};keyid="x"` })),
  ]) {
    const answer = await send(service.url, { method: 'GET', target: access, headers, body: undefined });
    expect([headers, answer.status, answer.headers['request-nonce']]).toEqual([headers, 401, undefined]);
  }
});
