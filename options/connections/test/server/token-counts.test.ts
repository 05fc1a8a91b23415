import { expect, test } from '@jest/globals';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { keyUseKey } from '#shared/table/keys/api-key-item-keys.ts';
import { storedKey } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { tokenMember } from '../../contract/token-member.ts';
import { tokenCounts } from '../../server/token-counts.ts';
import { connectionIndexKey, connectionKey } from '../../table/connection-item-keys.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const inDays = (days: number) => new Date(at.getTime() + days * 86_400_000).toISOString();
const memory = tableForEachTest(at);
const count = (isLimited: boolean) => tokenCounts.count({ at, isLimited, applications: Promise.resolve([]) });
const none = { expiring: { count: 0, more: false }, unused: { count: 0, more: false } };

test('tokens of connections count, by one query and a read of their last use, for everyone who sees all applications', async () => {
  const [used, unused] = ['svc_c1_gateway_01JCZ5T0000000000000000010', 'svc_c1_gateway_01JCZ5T0000000000000000011'];
  const old = { createdAt: inDays(-40), expiresAt: inDays(10) };
  const connectionId = 'gateway' as ConnectionId;
  expect(await count(false)).toEqual(none);
  memory.put({
    ...connectionKey(connectionId),
    ...connectionIndexKey(connectionId),
    connectionId,
    kind: 'evaluate',
    name: 'Gateway',
    issuer: null,
    audience: null,
    trustsUserHeader: false,
    applications: ['billing'],
    version: 1,
    createdAt: old.createdAt,
    updatedAt: old.createdAt,
    chainHead: 'A',
    keys: { [used]: storedKey(old), [unused]: storedKey(old) },
  });
  memory.put({ ...keyUseKey({ connectionId }, used), lastUsedOn: '2026-11-19' });
  memory.sdk.requests.length = 0;
  expect(await count(false)).toEqual({ expiring: { count: 2, more: false }, unused: { count: 1, more: false } });
  expect(memory.sdk.requests.map(({ command }) => command)).toEqual(['QueryCommand', 'BatchGetItemCommand']);
  expect(await count(true)).toEqual(none);
});

test('a count of tokens that is limited says so on the command line', () => {
  const counts = { expiring: { count: 3, more: false }, unused: { count: 2000, more: true } };
  expect(tokenMember.lines(counts)).toEqual([
    ['tokens that expire within 30 days', '3'],
    ['tokens unused for 30 days', 'at least 2000'],
  ]);
});
