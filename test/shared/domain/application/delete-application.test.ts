import '../../../support/settle-ten-seconds.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import {
  accessEntryItem,
  accessItem,
  applicationItem,
  keyUseItem,
  memberItem,
  roleItem,
  userItem,
} from '../../../support/table-items.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const grantedAt = '2026-02-01T00:00:00.000Z';
const appId = 'billing' as AppId;
const key = { pk: 'APP#billing', sk: 'APP' };

const memory = tableForEachTest(start);
const put = (application: Parameters<typeof applicationItem>[0]) =>
  memory.put(applicationItem({ rolloutPercent: 40, ...application }));
const putAccess = (userId: string, access: Parameters<typeof accessItem>[0] = { status: 'disabled' }) =>
  memory.put(accessItem({ userId, ...access }), accessEntryItem(appId, userId));
const putMember = (userId: string, role = 'editor') => memory.put(memberItem({ userId, role, grantedAt }));
const granted = (...roles: string[]) => ({
  roles: Object.fromEntries(roles.map((role) => [role, { grantedAt, expiresAt: null }])),
});
const stored = () => memory.table.get(key);
/** Returns the items other than the application's own, users, the history and the feed that tells of it. */
const contents = () =>
  memory.table
    .items()
    .map(({ pk, sk }) => `${pk} ${sk}`)
    .filter((place) => !/ (APP|USER|CHANGE#.*)$|^FEED#/.test(place));
const changes = () => memory.table.items().flatMap(({ sk, action }) => (/^CHANGE#/.test(String(sk)) ? [action] : []));
const names = (count: number) => Array.from({ length: count }, (_, n) => `user-${String(n).padStart(3, '0')}`);

beforeEach(() => {
  put({});
  memory.put(userItem());
});

/** Returns the outcome, when only waiting takes time. */
const remove = async (force: boolean, by = context) => {
  const settled = deleteApplication({ appId, force }, by).catch((error) => error);
  await jest.advanceTimersByTimeAsync(90_000);
  return settled;
};
const changing = {
  code: 'unavailable',
  options: { detail: 'This application is being modified. Try again.' },
};
const inUse = {
  code: 'application_in_use',
  options: {
    detail: 'Users have explicit access or roles in this application. Remove them first, or send ?force=true.',
  },
};

describe('an unused application', () => {
  test('is closed until no write can be in progress, and then deleted', async () => {
    expect(await remove(false)).toEqual({ changed: true, complete: true });
    const at = new Date(start + 10_000).toISOString();
    expect(stored()).toMatchObject({ deleting: true, swept: true, version: 2, updatedAt: at });
    const [change] = memory.table.items().filter(({ sk }) => /^CHANGE#/.test(String(sk)));
    expect(change).toMatchObject({
      action: 'application.deleted',
      appId,
      at,
      after: null,
      reason: null,
      before: { name: 'Billing', rolloutPercent: 40, version: 1 },
    });
  });

  test.each([
    ['an access that is the default', () => putAccess('ada', {})],
    ['an explicit access of a user who is being erased', () => putAccess('gone')],
  ])('can have %s', async (_, given) => {
    given();
    expect(await remove(false)).toEqual({ changed: true, complete: true });
    expect(contents()).toEqual([]);
  });

  test.each<[string, Parameters<typeof accessItem>[0]]>([
    ['a status of their own', { status: 'disabled' }],
    ['a role', granted('editor')],
  ])('has no users with %s', async (_, access) => {
    putAccess('ada', access);
    expect(await remove(false)).toMatchObject(inUse);
    expect(stored()).toMatchObject({ version: 1 });
    expect(memory.sdk.requests.map(({ command }) => command)).not.toContain('TransactWriteItemsCommand');
  });

  test('is not deleted if it was used while closed', async () => {
    memory.beforeFirst('closedUntil', () => setTimeout(() => putAccess('ada'), 5_000));
    expect(await remove(false)).toMatchObject(inUse);
    expect(stored()).not.toHaveProperty('closedUntil');
  });

  test.each([
    ['closed by another request', () => put({ closedUntil: '2026-11-20T19:02:00.000Z' })],
    ['reopened', () => put({})],
    ['removed', () => memory.table.apply({ kind: 'Delete', input: { Key: key } })],
  ])('is not deleted if it was %s in the meantime', async (_, meanwhile) => {
    memory.beforeFirst('closedUntil', () => setTimeout(meanwhile, 5_000));
    expect(await remove(false)).toMatchObject(changing);
    expect(stored() ?? {}).not.toHaveProperty('deleting');
  });

  test('is not closed if it was changed since it was read', async () => {
    memory.beforeFirst('closedUntil', () => put({ version: 2 }));
    expect(await remove(false)).toMatchObject(changing);
    expect(stored()).not.toHaveProperty('closedUntil');
  });

  test('is deleted once by all attempts of a call', async () => {
    expect(await remove(false, operatorAttempt('r1', 'call'))).toEqual({ changed: true, complete: true });
    put({ version: 5 });
    expect(await remove(false, operatorAttempt('r2', 'call'))).toMatchObject({ changed: true });
    expect(stored()).not.toHaveProperty('deleting');
  });
});

describe('a missing application', () => {
  beforeEach(() => {
    memory.table.apply({ kind: 'Delete', input: { Key: key } });
  });

  test.each([true, false])('counts as deleted, forced or not: %s', async (force) => {
    expect(await remove(force)).toEqual({ changed: false, complete: true });
    expect(changes()).toEqual([]);
  });

  test('is not deleted if it was created since', async () => {
    let reads = 0;
    memory.before = ({ command }) => {
      if (command === 'BatchGetItemCommand' && ++reads === 2) put({});
    };
    expect(await remove(false)).toMatchObject(changing);
    expect(stored()).not.toHaveProperty('deleting');
  });
});

describe('deleting an application deletes', () => {
  test('its accesses with their members, its roles and the uses of its keys', async () => {
    putAccess('ada', granted('editor', 'viewer'));
    putMember('ada');
    putMember('ada', 'viewer');
    memory.put(roleItem({ role: 'editor' }), roleItem({ role: 'viewer' }));
    for (const id of names(120)) memory.put(keyUseItem('billing', id));
    expect(await remove(true)).toEqual({ changed: true, complete: true });
    expect([contents(), stored()?.swept]).toEqual([[], true]);
    expect(changes()).toEqual(['application.deleted']);
  });

  test('any number of accesses and members', async () => {
    for (const id of names(120)) {
      putAccess(id, granted('editor'));
      putMember(id);
    }
    expect(await remove(true)).toEqual({ changed: true, complete: true });
    expect(contents()).toEqual([]);
    expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')[0]?.input.Limit).toBe(50);
  });

  test('members missing in the index of accesses, and those without an access', async () => {
    memory.put(roleItem({ role: 'editor' }));
    for (const id of names(60)) putMember(id);
    const { gsi1pk: _, gsi1sk: __, ...unlisted } = accessItem({ userId: 'ada', ...granted('editor') });
    memory.put(unlisted);
    putMember('ada');
    expect(await remove(true)).toEqual({ changed: true, complete: true });
    expect(contents()).toEqual([]);
  });

  test('what a concurrent request wrote', async () => {
    setTimeout(() => putAccess('ada'), 9_000);
    expect(await remove(true)).toEqual({ changed: true, complete: true });
    expect(contents()).toEqual([]);
  });

  test('an access written since it was read, in the next pass, with its current members', async () => {
    putAccess('ada');
    memory.beforeFirst('Delete', () => {
      putAccess('ada', { version: 2, ...granted('editor') });
      putMember('ada');
    });
    expect(await remove(true)).toEqual({ changed: true, complete: true });
    expect(contents()).toEqual([]);
  });

  test('only what fits in the time limit, then reports that it is incomplete and resumes on retry', async () => {
    put({ deleting: true, swept: false, version: 2 });
    putAccess('ada');
    memory.put(roleItem({ role: 'editor' }));
    let queries = 0;
    memory.before = ({ command }) => {
      if (command === 'QueryCommand' && ++queries === 1) jest.setSystemTime(Date.now() + 30_000);
    };
    expect(await remove(true)).toEqual({ changed: false, complete: false });
    expect([contents(), stored()?.swept]).toEqual([['APP#billing ROLE#editor'], false]);
    expect(await remove(false)).toEqual({ changed: false, complete: true });
    expect([contents(), stored()?.swept]).toEqual([[], true]);
    const { length } = memory.sdk.requests;
    expect(await remove(true)).toEqual({ changed: false, complete: true });
    expect(memory.sdk.requests.slice(length).map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  test('no page of accesses after its time is up', async () => {
    put({ deleting: true, swept: false, version: 2 });
    for (const id of names(60)) putAccess(id);
    memory.beforeFirst('Query', () => jest.setSystemTime(Date.now() + 30_000));
    expect(await remove(true)).toEqual({ changed: false, complete: false });
    expect(contents().filter((place) => place.startsWith('USER#'))).toHaveLength(10);
  });

  test('nothing more once time is up after the last pass that found something', async () => {
    put({ deleting: true, swept: false, version: 2 });
    setTimeout(() => putAccess('ada'), 5_000);
    let queries = 0;
    memory.before = ({ command }) => {
      // Each pass has three queries.
      if (command === 'QueryCommand' && ++queries === 6) jest.setSystemTime(start + 24_000);
    };
    expect(await remove(true)).toEqual({ changed: false, complete: false });
    expect(stored()?.swept).toBe(false);
  });

  test('again after a pass that found something, until one finds nothing', async () => {
    put({ deleting: true, swept: false, version: 2 });
    setTimeout(() => putAccess('ada'), 9_500);
    const queried: number[] = [];
    memory.before = ({ command, input }) => {
      if (command === 'QueryCommand' && JSON.stringify(input).includes('APP#billing#USERS'))
        queried.push(Date.now() - start);
    };
    expect(await remove(true)).toEqual({ changed: false, complete: true });
    expect(queried).toEqual([0, 10_000, 10_000]);
  });
});
