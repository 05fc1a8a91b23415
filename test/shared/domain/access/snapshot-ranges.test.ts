import { beforeEach, describe, expect, test } from '@jest/globals';
import { digestOf, textOfAccess } from '#shared/contract/entry-digest.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { accessEntryKey } from '#shared/table/keys/access-item-keys.ts';
import { inactiveMarkKey } from '#shared/table/keys/user-item-keys.ts';
import { appId, context, readerItem } from '../../../support/access-reader.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { accessItem } from '../../../support/table-items.ts';

const memory = tableForEachTest();
beforeEach(() => {
  memory.put(readerItem());
  memory.put({ ...inactiveMarkKey('ada' as UserId), userId: 'ada', changeId: '01KAAAAAAA0000000000000000' });
});

function putAccess(userId: string, members: object = { status: 'disabled' }): void {
  memory.put(accessItem({ userId, ...members }));
  memory.put({ ...accessEntryKey(appId, userId as UserId), userId });
}

const read = (input: object) => readSnapshot({ appId, limit: 10, ...input }, context);

describe('the ranges of a page', () => {
  test('cover every user id of every kind, without gaps', async () => {
    for (const userId of ['ada', 'grace', 'zoe']) putAccess(userId);
    const first = await read({ limit: 2 });
    const second = await read({ limit: 3, after: first.cursor });
    const ranges = [first, second].map((page) =>
      page.ranges.map(({ kind, through, digest }) => [kind, through, digest.split('-')[0]]),
    );
    expect(ranges).toEqual([
      [
        ['erased', null, '0'],
        ['inactive', null, '1'],
        ['access', 'ada', '1'],
      ],
      [['access', null, '2']],
    ]);
  });

  test('have digests of the entries, which are omitted on request', async () => {
    putAccess('grace');
    const whole = await read({});
    expect(await read({ digest: 'true' })).toEqual({ ...whole, items: [], liveAt: expect.any(String) });
    expect(whole.ranges.map(({ digest }) => digest)).toEqual([
      digestOf([]),
      digestOf(['ada']),
      digestOf([textOfAccess({ userId: 'grace', setting: 'disabled', roles: [] }, 0)]),
    ]);
  });

  test('omit roles that expire within ten minutes, so that no clock decides whether they count', async () => {
    const expiring = (minutes: number) => {
      const expiresAt = new Date(Date.now() + minutes * 60_000).toISOString();
      return { status: null, roles: { editor: { grantedAt: new Date(0).toISOString(), expiresAt } } };
    };
    putAccess('grace', expiring(9));
    putAccess('zoe', expiring(11));
    const { items, ranges } = await read({});
    expect(items).toHaveLength(3);
    expect(ranges[2]?.digest).toMatch(/^1-/);
  });
});
