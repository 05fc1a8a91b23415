import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newConnection } from '#options/connections/test/support/new-connection.ts';
import type { KeyId } from '#shared/contract/fields.ts';
import { describeService } from '#test/support/describe-service.ts';
import { operator } from '#test/support/start-service.ts';
import { type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';
import { askScim, type ConnectedDirectory, connectDirectory, isActivity, itemsBut } from '../support/ask-scim.ts';

const service = describeService();
let sdk: WatchedSdk;
beforeAll(async () => {
  sdk = await watchServiceTable();
});
beforeEach(() => {
  sdk.requests.length = 0;
});

async function refusalsOf(directory: ConnectedDirectory) {
  const { getConnectionActivity } = await import('#options/connections/server/record-activity.ts');
  const { refusals } = await getConnectionActivity(directory);
  return refusals.map(({ method, path, status, detail }) => ({ method, path, status, detail }));
}

const commands = () => sdk.requests.filter((request) => !isActivity(request)).map(({ command }) => command);
const advice = (plain: string) =>
  `This path does not exist. Send ${plain}: the address has a doubled or a trailing slash.`;

/** As a base address that ends in a slash, or a client that adds one, causes them; and others that do not exist. */
const unknown: [method: string, path: string, detail: string][] = [
  ['GET', '//Users', advice('/scim/v2/Users')],
  ['POST', '/Users/', advice('/scim/v2/Users')],
  ['PUT', '//Users/ada', advice('/scim/v2/Users/ada')],
  ['DELETE', '/Users//ada', advice('/scim/v2/Users/ada')],
  ['PATCH', '//Groups//g/', advice('/scim/v2/Groups/g')],
  ['POST', '//.search', advice('/scim/v2/.search')],
  ['GET', '//ServiceProviderConfig', advice('/scim/v2/ServiceProviderConfig')],
  ['GET', '/Schemas/', advice('/scim/v2/Schemas')],
  ['GET', '//', 'This path does not exist.'],
  ['GET', '/Me/', 'This path does not exist.'],
  ['POST', '/Bulk', 'This path does not exist.'],
  ['GET', '/users', 'This path does not exist.'],
  ['GET', '/c3b8f1d2', 'This path does not exist.'],
  ['GET', '/Users/a/b', 'This path does not exist.'],
];

describe('a path that does not exist', () => {
  test.each(unknown)('%s %s is 404 in SCIM with advice, which operators see', async (method, path, detail) => {
    const directory = await connectDirectory(service);
    // The first use of a key is written.
    await directory.ask('GET', '/Users?count=0');
    const before = await itemsBut(service);
    sdk.requests.length = 0;
    const { status, headers, body } = await directory.ask(method, path, method === 'GET' ? undefined : userBody);
    expect([status, headers['content-type'], body]).toEqual([
      404,
      'application/scim+json',
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404', detail },
    ]);
    expect(commands()).toEqual(['BatchGetItemCommand']);
    expect(await refusalsOf(directory)).toEqual([{ method, path: `/scim/v2${path}`, status: 404, detail }]);
    expect(await itemsBut(service)).toEqual(before);
  });

  test.each(['users:write', 'roles:write'] as const)('is 404 for a key that has only the scope %s', async (scope) => {
    const directory = await connectDirectory(service, {}, { scopes: [scope] });
    expect((await directory.ask('GET', '//Groups')).status).toBe(404);
  });

  test.each([undefined, `svt_c1_a-key_${'0'.repeat(26)}_${'0'.repeat(43)}`])(
    'is 401 without a request to the table for the token %s',
    async (token) => {
      for (const [method, path] of unknown) {
        const { status, headers, body } = await askScim(service, token, method, path);
        expect([path, status, headers['content-type'], body.status]).toEqual([
          path,
          401,
          'application/scim+json',
          '401',
        ]);
      }
      expect(sdk.requests).toEqual([]);
    },
  );

  test('is 401 for a token that was revoked, and leaves no entry among the requests of its connection', async () => {
    const { revokeConnectionKey } = await import('#options/connections/server/connection-keys.ts');
    const directory = await connectDirectory(service);
    const { getConnection } = await import('#options/connections/server/connections.ts');
    for (const { keyId } of (await getConnection(directory)).keys) {
      await revokeConnectionKey({ connectionId: directory.connectionId, keyId: keyId as KeyId }, operator);
    }
    for (const [method, path] of unknown) expect((await directory.ask(method, path)).status).toBe(401);
    expect(await refusalsOf(directory)).toEqual([]);
  });

  test('is 403 for the token of a gateway', async () => {
    const { token } = await newConnection(['billing']);
    for (const [method, path] of unknown) expect((await askScim(service, token, method, path)).status).toBe(403);
  });
});

const userBody = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'by-another-path' };
