import { beforeEach, expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { type ApplicationUserSearch, findApplicationUsers } from '#shared/domain/user/find-application-users.ts';
import { findUsers } from '#shared/domain/user/find-users.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { pagesOf } from '../../../support/pages-of.ts';
import { operatorContext as context } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { accessItem, applicationItem } from '../../../support/table-items.ts';

const appId = 'billing' as AppId;
const memory = tableForEachTest();
const find = (request: Partial<ApplicationUserSearch>) =>
  findApplicationUsers({ appId, q: 'king', limit: 100, ...request });
const idsOf = async (request: Partial<ApplicationUserSearch> = {}) =>
  (await find(request)).items.map(({ userId }) => userId);

beforeEach(async () => {
  memory.put(applicationItem());
  for (const [userId, name] of Object.entries({ u1: 'Ada King', u2: 'Bo King', u3: 'Cleo King', u4: 'Dan Queen' })) {
    await createUser({ userId: userId as UserId, displayName: name, email: null }, context);
  }
  memory.put(
    accessItem({ userId: 'u2', status: 'disabled', reason: 'left' }),
    accessItem({ userId: 'u4', status: 'disabled' }),
  );
  await setUserStatus({ userId: 'u3' as UserId, status: 'inactive', reason: null }, context);
});

test('the users found are shown with their effective access, also without any setting', async () => {
  const { items, cursor } = await find({});
  expect(
    items.map(({ userId, displayName, effectiveStatus, decidedBy }) => ({
      userId,
      displayName,
      effectiveStatus,
      decidedBy,
    })),
  ).toEqual([
    { userId: 'u1', displayName: 'Ada King', effectiveStatus: 'enabled', decidedBy: 'default' },
    { userId: 'u2', displayName: 'Bo King', effectiveStatus: 'disabled', decidedBy: 'explicit' },
    { userId: 'u3', displayName: 'Cleo King', effectiveStatus: 'disabled', decidedBy: 'user' },
  ]);
  expect([cursor, items[1]?.reason]).toEqual([null, 'left']);
});

test.each<[string, Partial<ApplicationUserSearch>, string[]]>([
  ['effective status', { effectiveStatus: 'disabled' }, ['u2', 'u3']],
  ['what decides', { decidedBy: 'user' }, ['u3']],
  ['both', { effectiveStatus: 'enabled', decidedBy: 'explicit' }, []],
  ['several words', { q: 'ki bo' }, ['u2']],
])('the users found can be narrowed by %s', async (_, request, expected) => {
  expect(await idsOf(request)).toEqual(expected);
});

test('pages of any size have every user once, and a cursor is valid only for this application and search', async () => {
  for (const limit of [1, 2, 3]) {
    const pages = await pagesOf((cursor) => find({ limit, cursor }));
    expect(pages.flatMap(({ items }) => items.map(({ userId }) => userId))).toEqual(['u1', 'u2', 'u3']);
  }
  memory.put(applicationItem({ appId: 'wiki' as AppId }));
  const { cursor } = await find({ limit: 1 });
  const others = [{ appId: 'wiki' as AppId }, { q: 'ki' }, { decidedBy: 'user' as const }];
  for (const other of others) {
    await expect(find({ limit: 1, cursor: cursor ?? '', ...other })).rejects.toMatchObject({ code: 'invalid_request' });
  }
  await expect(findUsers({ q: 'king', limit: 1, cursor: cursor ?? '' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('an application that does not exist has no users', async () => {
  await expect(find({ appId: 'nowhere' as AppId })).rejects.toMatchObject({ code: 'application_not_found' });
});
