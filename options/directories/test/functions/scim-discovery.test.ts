import { beforeAll, expect, test } from '@jest/globals';
import { describeService } from '#test/support/describe-service.ts';
import { type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';
import { askScim } from '../support/ask-scim.ts';

const service = describeService();
let sdk: WatchedSdk;
beforeAll(async () => {
  sdk = await watchServiceTable();
  sdk.requests.length = 0;
});

const ask = (method: string, path: string) => askScim(service, undefined, method, path);
const error = (status: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  detail: expect.any(String),
});

test('says what is supported, without a token and without a request to the table', async () => {
  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/ResourceTypes/User', '/Schemas']) {
    const { status, headers, body } = await ask('GET', path);
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/scim+json']);
    expect(body.schemas).toHaveLength(1);
  }
  const { body: schemas } = await ask('GET', '/Schemas');
  for (const schema of schemas.Resources) {
    const { status, body } = await ask('GET', `/Schemas/${schema.id}`);
    expect([status, body]).toEqual([200, schema]);
    expect(schema.meta.location).toBe(`https://${new URL(service.url).host}/scim/v2/Schemas/${schema.id}`);
  }
  expect(sdk.requests).toEqual([]);
});

test.each(['', '/', '/Schemas/c3b8f1d2', '/ResourceTypes/c3b8f1d2'])('answers 404 in SCIM for %s', async (path) => {
  const { status, headers, body } = await ask('GET', path);
  expect([status, headers['content-type'], body]).toEqual([404, 'application/scim+json', error(404)]);
});

test.each(['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'])(
  'answers 405 to all but GET of %s',
  async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers, body } = await ask(method, path);
      expect([method, status, headers.allow, body]).toEqual([method, 405, 'GET', error(405)]);
    }
  },
);
