import { describe, expect, test } from '@jest/globals';
import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { verifyChanges } from '#shared/domain/history/verify-changes.ts';
import { checkChains } from '#shared/integrity/check-chains.ts';
import { compareState, type StoredItem } from '#shared/integrity/compare-state.ts';
import { foldChanges } from '#shared/integrity/fold-changes.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { applicationItem } from '#test/support/table-items.ts';
import { issueConnectionKey, revokeConnectionKey, rotateConnectionKey } from '../../server/connection-keys.ts';
import { createConnection, getConnection, listConnections, updateConnection } from '../../server/connections.ts';
import { deleteConnection } from '../../server/delete-connection.ts';

const memory = tableForEachTest(Date.parse('2026-11-20T19:00:00.000Z'));
const connectionId = 'gateway' as ConnectionId;
const stored = () => memory.table.items() as StoredItem[];
const [billing, wiki] = ['billing' as AppId, 'wiki' as AppId];

function create(applications = [billing]) {
  for (const appId of [billing, wiki]) memory.put(applicationItem({ appId }));
  return createConnection({ connectionId, kind: 'evaluate', name: 'Gateway', applications }, operator);
}

const history = async () => {
  const { items } = await listAllChanges({ limit: 100, connectionId });
  return items.toReversed();
};

test('every change of a connection and its keys is recorded in one chain, and its state is what the changes say', async () => {
  await create();
  const key = await issueConnectionKey(
    { connectionId, scopes: ['access:read'], expiresAt: null, label: 'nginx' },
    operator,
  );
  await updateConnection({ connectionId, name: 'Gateways', applications: [billing, wiki] }, operator);
  const next = await rotateConnectionKey({ connectionId, keyId: key.keyId, overlapSeconds: 3600 }, operator);
  await revokeConnectionKey({ connectionId, keyId: key.keyId }, operator);
  const changes = await history();
  expect(changes.map(({ action, keyId }) => [action, keyId])).toEqual([
    ['connection.created', undefined],
    ['key.issued', key.keyId],
    ['connection.updated', undefined],
    ['key.rotated', next.keyId],
    ['key.revoked', key.keyId],
  ]);
  const verdicts = await verifyChanges(changes.map((change) => ({ ...change })));
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(changes.map(() => 'unchanged'));
  expect(checkChains(changes, [], {}).findings).toEqual([]);
  const compared = (alter: (item: StoredItem) => StoredItem = (item) => item) => {
    const items = stored().map((item) => (item.sk === 'CONNECTION' ? alter(item) : item));
    return compareState(
      foldChanges(changes),
      items.filter(({ sk }) => sk === 'CONNECTION'),
      new Date(),
    ).differences;
  };
  expect(compared()).toEqual([]);
  // What somebody altered in the table by hand is named.
  expect(compared((item) => ({ ...item, applications: ['billing'] }))).toMatchObject([
    { subject: 'connection gateway', detail: 'applications is billing in the table, and billing wiki by the changes' },
  ]);
  expect(compared((item) => ({ ...item, trustsUserHeader: true }))).toMatchObject([
    { subject: 'connection gateway', detail: expect.stringContaining('trustsUserHeader') },
  ]);
  const revoked = (item: StoredItem) => {
    const keys = item.keys as Record<string, object>;
    return { ...item, keys: { ...keys, [key.keyId]: { ...keys[key.keyId], revokedAt: null } } };
  };
  expect(compared(revoked)).toMatchObject([{ detail: expect.stringContaining(`revokedAt of key ${key.keyId}`) }]);
});

test('no token is stored or recorded', async () => {
  await create();
  const { token } = await issueConnectionKey({ connectionId, scopes: ['access:read'], expiresAt: null }, operator);
  expect(JSON.stringify(stored())).not.toContain(token.slice(-43));
});

test('a deleted connection is gone, its history stays, and its id is never used again', async () => {
  await create();
  expect(await deleteConnection({ connectionId }, operator)).toEqual({ changed: true, complete: true });
  await expect(getConnection({ connectionId })).rejects.toMatchObject({ code: 'connection_not_found' });
  await expect(create()).rejects.toMatchObject({ code: 'already_exists' });
  expect((await history()).map(({ action }) => action)).toEqual(['connection.created', 'connection.deleted']);
  expect((await listConnections({ limit: 10 })).items).toEqual([]);
});

describe('what is refused', () => {
  test('an application that does not exist', async () => {
    await expect(create(['nothing' as AppId])).rejects.toMatchObject({ code: 'application_not_found' });
    await create();
    const update = updateConnection({ connectionId, applications: ['nothing' as AppId] }, operator);
    await expect(update).rejects.toMatchObject({ code: 'application_not_found' });
  });

  test('another version than the one that the caller saw', async () => {
    await create();
    const update = updateConnection({ connectionId, name: 'Other', ifMatch: [7] }, operator);
    await expect(update).rejects.toMatchObject({ code: 'version_mismatch' });
  });
});

test('an update that changes nothing is no change', async () => {
  await create([billing, wiki]);
  const same = await updateConnection({ connectionId, name: 'Gateway', applications: [billing, wiki] }, operator);
  expect([same.changed, same.version, (await history()).length]).toEqual([false, 1, 1]);
});

test('operators who are limited to applications see no changes of connections', async () => {
  await create();
  const seen = async (limitedTo?: AppId[]) => (await listAllChanges({ limit: 100, limitedTo })).items.length;
  expect([await seen(), await seen([billing])]).toEqual([1, 0]);
  expect((await listAllChanges({ limit: 100, connectionId, limitedTo: [billing] })).items).toEqual([]);
});

test('clients belong to applications of the connection, each to one, also after a change of the applications', async () => {
  await create([billing, wiki]);
  const clients = '0oa1=wiki https://client.example/id=wiki 0oa2=billing';
  await updateConnection({ connectionId, clients }, operator);
  const refused = [
    [{ clients: '0oa1=another' }, 'must name applications of the connection, not another'],
    [{ clients: 'a=wiki b=billing a=wiki' }, 'must name each client once'],
    [{ applications: [wiki] }, 'must name applications of the connection, not billing'],
  ] as const;
  for (const [change, detail] of refused) {
    const options = { field: { name: 'clients', detail } };
    await expect(updateConnection({ connectionId, ...change }, operator)).rejects.toMatchObject({ options });
  }
  const cleared = { clients: null, userIdClaim: 'login' };
  expect(await updateConnection({ connectionId, applications: [wiki], ...cleared }, operator)).toMatchObject(cleared);
});
