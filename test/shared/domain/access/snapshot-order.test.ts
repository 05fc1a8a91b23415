import { beforeEach, expect, test } from '@jest/globals';
import { lowestUlid } from '#shared/core/ids.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { listChanges } from '#shared/domain/history/changes-by-number.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { appId, context, readerItem } from '../../../support/access-reader.ts';
import { putStoredChange } from '../../../support/stored-changes.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const memory = tableForEachTest(start);
beforeEach(() => {
  memory.put(readerItem());
});

test('what follows a snapshot is never older than what it contains', async () => {
  const at = (second: number) => new Date(start - 60_000 + second * 1000);
  const put = (second: number, end: string, action: 'role.assigned' | 'role.revoked', userId: string) => {
    const id = lowestUlid(at(second)).slice(0, 10) + end.padEnd(16, '0');
    return putStoredChange(memory, { id, action, at: at(second).toISOString(), userId, appId, role: 'admin' } as never);
  };
  // More are pending than one block takes, and no block after the first is written.
  const assigned = put(1, 'Z', 'role.assigned', 'eve');
  for (let n = 0; n < 120; n++) put(2, `M${String(n).padStart(3, '0')}`, 'role.assigned', `user-${n}`);
  put(3, '1', 'role.revoked', 'eve');
  let blocks = 0;
  memory.before = ({ command, input }) => {
    if (!/^(Put|TransactWrite)/.test(command) || !JSON.stringify(input).includes('LOG#0000')) return;
    if (++blocks > 1) throw new Error('cut off');
  };
  await numberFeed(appId).catch(() => {});
  memory.before = undefined;
  // Eve has no role, so the snapshot has no entry of her.
  const { items, changesCursor } = await readSnapshot({ appId, limit: 100 }, context);
  expect(items).toEqual([]);
  const followed = await listChanges({ appId, limit: 100, after: changesCursor }, context);
  expect(followed.items.map(({ id }) => id)).not.toContain(assigned.id);
});

test('a change of the application while its snapshot is read is in the snapshot or follows it', async () => {
  const change = { action: 'application.updated', at: new Date(start).toISOString(), appId } as const;
  memory.before = async ({ command, input }) => {
    if (!command.startsWith('Query') || !JSON.stringify(input).includes(`FEED#${appId}`)) return;
    memory.before = undefined;
    memory.put({ ...readerItem(), rolloutPercent: 0, version: 7 });
    putStoredChange(memory, change as never);
    await numberFeed(appId);
  };
  const { applicationVersion, rolloutPercent, changesCursor } = await readSnapshot({ appId, limit: 100 }, context);
  const followed = await listChanges({ appId, limit: 100, after: changesCursor }, context);
  expect([applicationVersion, rolloutPercent, followed.items]).toEqual([7, 0, []]);
});
