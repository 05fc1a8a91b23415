import { expect, test } from '@jest/globals';
import type { Application, Member, Role } from '#client/management/management-contract.ts';
import { findRolesAnywhere, maxRoleHolders, type RoleReader } from '#client/management/roles-anywhere.ts';

/** A reader of applications with these roles, each with that many members, and the requests that it got. */
function readerOf(applications: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const requests: string[] = [];
  const pageOf = <Item>(items: readonly object[]) => ({ items: items as Item[], cursor: null });
  const reader: RoleReader = {
    listApplications: async () =>
      pageOf<Application>(Object.keys(applications).map((appId) => ({ appId, name: appId }))),
    listRoles: async (appId) => {
      requests.push(appId);
      return pageOf<Role>(Object.keys(applications[appId] ?? {}).map((role) => ({ appId, role })));
    },
    listMembers: async (appId, role) => {
      requests.push(`${appId}/${role}`);
      const count = applications[appId]?.[role] ?? 0;
      return pageOf<Member>(Array.from({ length: count }, (_, n) => ({ userId: `user-${n}` })));
    },
  };
  return { reader, requests };
}

async function find(reader: RoleReader, more: { role?: string; isStopped?: () => boolean } = {}) {
  const held: string[] = [];
  const progress: string[] = [];
  const { isCut } = await findRolesAnywhere(reader, {
    ...more,
    onProgress: ({ done, total }, found) => {
      progress.push(`${done}/${total}`);
      for (const { appId, userId } of found?.holders ?? []) held.push(`${userId} in ${appId}`);
    },
  });
  return { isCut, held: held.sort(), progress };
}

test('only applications that have a role of the name are asked for its members', async () => {
  const { reader, requests } = readerOf({ a: { admin: 2, viewer: 1 }, b: { viewer: 1 }, c: { admin: 1, Admin: 5 } });
  const { isCut, held, progress } = await find(reader, { role: 'admin' });
  expect(held).toEqual(['user-0 in a', 'user-0 in c', 'user-1 in a']);
  expect(requests.sort()).toEqual(['a', 'a/admin', 'b', 'c', 'c/admin']);
  expect([isCut, progress]).toEqual([false, ['0/3', '1/3', '2/3', '3/3']]);
});

test('without a role, no members are read', async () => {
  const { reader, requests } = readerOf({ a: { admin: 2 } });
  expect((await find(reader)).held).toEqual([]);
  expect(requests).toEqual(['a']);
});

test('what is not read because of the limit of holders, or after a stop, is said', async () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`app-${n}`, { admin: maxRoleHolders / 2 }]));
  const { isCut, held } = await find(readerOf(many).reader, { role: 'admin' });
  expect([isCut, held.length >= maxRoleHolders, held.length < 20 * (maxRoleHolders / 2)]).toEqual([true, true, true]);
  const { reader, requests } = readerOf({ a: { admin: 1 } });
  expect(await find(reader, { role: 'admin', isStopped: () => true })).toMatchObject({ isCut: true, held: [] });
  expect(requests).toEqual([]);
});
