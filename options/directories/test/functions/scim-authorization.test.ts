import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
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

const asked = () => sdk.requests.filter((request) => !isActivity(request));
const longText = 'x'.repeat(500 * 1024);
const manyMembers = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`m${n}`, n]));

/** Requests with which something is wrong, and with what. */
const wrong: [what: string, ...request: Parameters<ConnectedDirectory['ask']>][] = [
  ['no userName', 'POST', '/Users', {}],
  ['a userName that is too long', 'POST', '/Users', { userName: 'x'.repeat(300) }],
  ['no JSON', 'POST', '/Users', '{'],
  ['another type', 'POST', '/Users', 'a=b', { 'content-type': 'text/plain' }],
  ['a large body', 'POST', '/Users', { nickName: longText }],
  ['a large body that is no JSON', 'POST', '/Users', longText],
  ['many members', 'POST', '/Users', manyMembers],
  ['no operations', 'PATCH', '/Users/ada', {}],
  ['a value that is neither true nor false', 'PUT', '/Users/ada', { userName: 'ada', active: 'maybe' }],
  ['an id that cannot be one', 'GET', '/Users/a%20b'],
  ['a filter that is not supported', 'GET', '/Users?filter=userName%20co%20%22a%22'],
  ['a version that is none', 'DELETE', '/Users/ada', '', { 'if-match': '7' }],
  ['a method that it does not have', 'PUT', '/Users', {}],
  ['two selections', 'GET', '/Users?attributes=a&excludedAttributes=b'],
  ['no schema of a search', 'POST', '/.search', {}],
  ['no name of a group', 'POST', '/Groups', {}],
  ['members that are none', 'PATCH', '/Groups/g', { Operations: [{ op: 'add', path: 'members', value: 1 }] }],
];

async function revoked(): Promise<ConnectedDirectory> {
  const { revokeConnectionKey } = await import('#options/connections/server/connection-keys.ts');
  const { getConnection } = await import('#options/connections/server/connections.ts');
  const directory = await connectDirectory(service);
  const { connectionId } = directory;
  for (const { keyId } of (await getConnection(directory)).keys) {
    await revokeConnectionKey({ connectionId, keyId: keyId as KeyId }, operator);
  }
  return directory;
}

describe('a token that was revoked', () => {
  let directory: ConnectedDirectory;
  beforeAll(async () => {
    directory = await revoked();
  });

  test.each(wrong)('is refused with 401 for a request with %s, which costs one read', async (_, ...request) => {
    const { status, headers, body } = await directory.ask(...request);
    expect([status, headers['content-type'], body.status]).toEqual([401, 'application/scim+json', '401']);
    expect(asked().map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  test('leaves no entry among the requests of its connection', async () => {
    const { getConnectionActivity } = await import('#options/connections/server/record-activity.ts');
    for (const [, ...request] of wrong) await directory.ask(...request);
    expect(await getConnectionActivity(directory)).toEqual({
      lastRequestAt: null,
      requests: 0,
      refused: 0,
      refusals: [],
    });
    expect(sdk.requests.filter(isActivity).filter(({ command }) => command !== 'QueryCommand')).toEqual([]);
  });
});

test.each(wrong)('the token of a gateway is refused with 403 for a request with %s', async (_, ...request) => {
  const { token } = await newConnection(['billing']);
  const before = await itemsBut(service);
  const { status, body } = await askScim(service, token, ...request);
  expect([status, body.detail]).toEqual([403, 'A connection of the kind evaluate cannot do this.']);
  expect(await itemsBut(service)).toEqual(before);
});

test('a body of more than 16 KB is not parsed for a connection that may not ask', async () => {
  const { token } = await newConnection(['billing']);
  const parse = jest.spyOn(JSON, 'parse');
  const parsed = () => parse.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('"nickName"'));
  try {
    const body = (length: number) => JSON.stringify({ userName: 'large', nickName: 'x'.repeat(length) });
    expect((await askScim(service, token, 'POST', '/Users', body(17 * 1024))).status).toBe(403);
    expect(parsed()).toEqual([]);
    const directory = await connectDirectory(service);
    expect((await directory.ask('POST', '/Users', body(17 * 1024))).status).toBe(400);
    expect(parsed()).toHaveLength(1);
  } finally {
    parse.mockRestore();
  }
});

test('a directory that may ask is told what is wrong, with one read', async () => {
  const directory = await connectDirectory(service);
  await directory.ask('GET', '/Users?count=0');
  for (const [what, ...request] of wrong) {
    sdk.requests.length = 0;
    const { status } = await directory.ask(...request);
    expect([what, [400, 404, 405, 415].includes(status)]).toEqual([what, true]);
    expect([what, asked().map(({ command }) => command)]).toEqual([what, ['BatchGetItemCommand']]);
  }
});
