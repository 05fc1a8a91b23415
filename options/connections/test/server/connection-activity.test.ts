import { beforeEach, expect, jest, test } from '@jest/globals';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { createConnection } from '../../server/connections.ts';
import { deleteConnection } from '../../server/delete-connection.ts';
import { type AnsweredRequest, getConnectionActivity, recordDirectoryRequest } from '../../server/record-activity.ts';

const memory = tableForEachTest(Date.parse('2026-11-20T19:00:00.000Z'));
let connectionId: ConnectionId;
let created = 0;
beforeEach(async () => {
  // A process remembers of each directory what it has recorded.
  connectionId = `okta-${++created}` as ConnectionId;
  await createConnection(
    { connectionId, kind: 'scim', name: 'Okta', applications: [], userIdAttribute: 'userName' },
    operator,
  );
  memory.sdk.requests.length = 0;
});

const accepted = { method: 'GET', path: '/scim/v2/Users', status: 200, scimType: null, detail: '' };
const refused = { ...accepted, method: 'POST', status: 409, scimType: 'uniqueness', detail: 'Taken.' };
const record = (request: AnsweredRequest) => recordDirectoryRequest({ connectionId }, request);
const activity = () => getConnectionActivity({ connectionId });
const nextMinute = () => jest.setSystemTime(Date.now() + 60_000);

test('requests are counted with one write a minute, and those of the last 24 hours are shown', async () => {
  for (let n = 0; n < 50; n++) await record(accepted);
  expect(memory.sdk.requests).toHaveLength(1);
  nextMinute();
  await record(refused);
  expect(await activity()).toMatchObject({ requests: 51, refused: 1, lastRequestAt: '2026-11-20T19:01:00.000Z' });
  jest.setSystemTime(Date.now() + 26 * 3_600_000);
  expect(await activity()).toMatchObject({ requests: 0, refused: 0, lastRequestAt: null });
});

test('a refused request is kept with its answer, without its query, and the latest 20 are shown', async () => {
  await record({ ...refused, path: '/scim/v2/Users?filter=userName%20eq%20%22ada%22' });
  expect((await activity()).refusals).toEqual([
    {
      at: '2026-11-20T19:00:00.000Z',
      method: 'POST',
      path: '/scim/v2/Users',
      status: 409,
      scimType: 'uniqueness',
      detail: 'Taken.',
    },
  ]);
  for (let n = 0; n < 25; n++) {
    nextMinute();
    await record({ ...refused, detail: `${n}` });
  }
  expect((await activity()).refusals.map(({ detail }) => detail)).toEqual(
    Array.from({ length: 20 }, (_, n) => `${24 - n}`),
  );
});

test('no more than 20 refused requests a minute are written', async () => {
  for (let n = 0; n < 200; n++) await record(refused);
  expect(memory.sdk.requests.length).toBe(21);
});

test('a table that does not respond fails no request', async () => {
  jest.useRealTimers();
  memory.before = () => {
    throw new Error('gone');
  };
  await expect(record(refused)).resolves.toBeUndefined();
});

test('a connection that does not exist has no activity, and a deleted one leaves none', async () => {
  jest.useRealTimers();
  await record(refused);
  await deleteConnection({ connectionId }, operator);
  expect(memory.table.items().filter(({ pk }) => String(pk).startsWith('SCIM#'))).toEqual([]);
  await expect(activity()).rejects.toMatchObject({ code: 'connection_not_found' });
});
