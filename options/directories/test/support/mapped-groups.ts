import { beforeEach, jest } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { applicationItem, roleItem } from '#test/support/table-items.ts';
import type { GroupChange } from '../../scim/directory.ts';
import { changeDirectoryGroup, createDirectoryGroup } from '../../server/change-directory-group.ts';
import { readDirectoryGroup } from '../../server/directory-groups.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { aDirectoryUser, newDirectory } from './new-directory.ts';

export const [ada, bob] = ['ada' as UserId, 'bob' as UserId];
export const [billing, wiki] = ['billing' as AppId, 'wiki' as AppId];
export const [editor, viewer] = ['editor' as RoleName, 'viewer' as RoleName];
export const groupRoles = [
  { group: 'Editors', appId: billing, role: editor },
  { group: 'Editors', appId: wiki, role: viewer },
  { group: 'Writers', appId: billing, role: editor },
];

/** A directory with two users for each test, whose groups give roles of two applications, and what tests do with it. */
export function groupsForEachTest() {
  const memory = tableForEachTest();
  const it = { context: undefined as unknown as ConnectionContext };
  beforeEach(async () => {
    // Retries wait for some milliseconds.
    jest.useRealTimers();
    for (const appId of [billing, wiki]) {
      memory.put(applicationItem({ appId }));
      for (const role of [editor, viewer]) memory.put(roleItem({ appId, role }));
    }
    it.context = await newDirectory({ applications: [billing, wiki], groupRoles });
    for (const name of ['ada', 'bob']) await provisionUser(aDirectoryUser(name), it.context);
  });
  const change = (id: string, next: GroupChange) => changeDirectoryGroup({ id }, next, it.context);
  return Object.assign(it, {
    memory,
    change,
    create: async (displayName: string, members: UserId[] = []) =>
      (await createDirectoryGroup({ displayName, externalId: null, members }, it.context)).id,
    add: (id: string, ...members: UserId[]) => change(id, { members: { add: members, remove: [] } }),
    remove: (id: string, ...members: UserId[]) => change(id, { members: { add: [], remove: members } }),
    membersOf: async (id: string) => (await readDirectoryGroup({ id, withMembers: true }, it.context)).members,
    rolesOf: (userId: UserId) =>
      memory.table
        .items()
        .flatMap(({ pk, sk, appId, roles }) =>
          pk === `USER#${userId}` && String(sk).startsWith('ACCESS#')
            ? Object.keys(roles as object).map((role) => `${appId} ${role}`)
            : [],
        )
        .sort(),
    assign: (userId: UserId, role: RoleName, expiresAt: string | null = null) =>
      assignRole({ userId, appId: billing, grant: { role, expiresAt } }, operator),
    roleChanges: async () =>
      (await listAllChanges({ limit: 100 })).items
        .toReversed()
        .flatMap(({ action, role, caller }) =>
          action.startsWith('role.') ? [`${action} ${role} ${caller.kind}`] : [],
        ),
    keysOfDirectory: () =>
      memory.table.items().flatMap(({ pk, sk }) => (String(pk).startsWith('SCIM#') ? [`${sk}`] : [])),
    accountsLeft: () => memory.table.items().filter(({ sk }) => sk === 'ACCOUNT'),
  });
}
