import { describe, expect, test } from '@jest/globals';
import { deleteConnection } from '#options/connections/server/delete-connection.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { getUser } from '#shared/domain/user/users.ts';
import { operator } from '#test/support/start-service.ts';
import { changeDirectoryGroup } from '../../server/change-directory-group.ts';
import { changeDirectoryUser, readDirectoryUser, removeDirectoryUser } from '../../server/change-directory-user.ts';
import { readDirectoryGroup } from '../../server/directory-groups.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { ada, bob, groupsForEachTest } from '../support/mapped-groups.ts';
import { aDirectoryUser } from '../support/new-directory.ts';
import { codeOf } from '../support/users-of-directories.ts';

const it = groupsForEachTest();
const { create, change, add, remove, membersOf, rolesOf, keysOfDirectory, memory } = it;
const [eve, dan] = ['eve' as UserId, 'dan' as UserId];
const others = async () => {
  for (const name of [eve, dan]) await provisionUser(aDirectoryUser(name), it.context);
};
const outage = Object.assign(new Error('gone'), { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } });
/** Deletes users, whose first transaction is the last one that the table accepts. */
async function removeHalfway(...userIds: readonly UserId[]) {
  for (const id of userIds) {
    let transactions = 0;
    memory.before = async ({ command }) => {
      if (command === 'TransactWriteItemsCommand' && ++transactions > 1) throw outage;
    };
    expect(await codeOf(removeDirectoryUser({ id }, it.context))).toBe('unavailable');
    memory.before = undefined;
  }
}
const replace = (id: string, ...set: UserId[]) => change(id, { members: { set } });
const holders = () => [ada, bob, eve, dan].filter((userId) => rolesOf(userId).includes('billing editor'));

describe.each(['Writers', 'Staff'])('two requests that replace the members of %s', (name) => {
  const expectMembers = async (id: string, members: readonly UserId[]) => {
    expect(await membersOf(id)).toEqual(members.toSorted());
    expect(holders()).toEqual(name === 'Writers' ? members : []);
  };

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
    'end in the later set, which begins before request %d of the other',
    async (at) => {
      await others();
      const id = await create(name, [bob, eve]);
      let sent = 0;
      let later: Promise<unknown> = Promise.resolve();
      memory.before = async () => {
        if (sent++ !== at) return;
        memory.before = undefined;
        later = replace(id, eve, dan);
        await later;
      };
      await replace(id, ada, bob);
      memory.before = undefined;
      await later;
      // One that is decided again after the other follows it.
      const isFirst = (await membersOf(id))?.includes(ada) === true;
      await expectMembers(id, isFirst ? [ada, bob] : [eve, dan]);
    },
  );

  test('at the same time end in one of the two, however their requests take turns', async () => {
    await others();
    for (let run = 0; run < 8; run++) {
      const id = await create(name, run % 2 === 0 ? [] : [bob, eve]);
      let turn = run;
      memory.before = () => {
        turn = (turn * 7 + 3) % 11;
        return new Promise((resolve) => setTimeout(resolve, turn));
      };
      await Promise.all([replace(id, ada, bob), replace(id, eve, dan)]);
      memory.before = undefined;
      const members = await membersOf(id);
      await expectMembers(id, members?.includes(ada) === true ? [ada, bob] : [eve, dan]);
      await removeDirectoryGroup({ id }, it.context);
    }
  });
});

describe('a request that replaces the members', () => {
  test('stops one that adds some, which goes on for no other member', async () => {
    await others();
    const id = await create('Writers');
    memory.beforeFirst('"billing editor"', () => replace(id, dan));
    await add(id, ada, bob);
    expect([await membersOf(id), holders()]).toEqual([['dan'], [dan]]);
  });

  test('stops one that removes some', async () => {
    await others();
    const id = await create('Writers', [ada, bob]);
    memory.beforeFirst('ACCESS#billing', () => replace(id, ada, bob));
    await remove(id, ada, bob);
    expect([await membersOf(id), holders()]).toEqual([
      ['ada', 'bob'],
      [ada, bob],
    ]);
  });

  test('completes one that stopped in the middle, with its own members', async () => {
    await others();
    const id = await create('Writers', [bob, eve]);
    let sent = 0;
    memory.before = ({ command }) => {
      if (command === 'TransactWriteItemsCommand' && ++sent > 2) throw outage;
    };
    expect(await codeOf(replace(id, ada, dan))).toBe('unavailable');
    memory.before = undefined;
    await replace(id, ada, bob);
    expect([await membersOf(id), holders()]).toEqual([
      ['ada', 'bob'],
      [ada, bob],
    ]);
  });

  test('leaves nothing of its fence behind when the group or the connection is deleted', async () => {
    const [staff, crew] = [await create('Staff'), await create('Crew')];
    for (const id of [staff, crew]) await replace(id, ada);
    await removeDirectoryGroup({ id: staff }, it.context);
    const fences = () => keysOfDirectory().filter((key) => key.startsWith('FENCE'));
    expect(fences()).toHaveLength(10);
    await deleteConnection({ connectionId: it.context.caller.connectionId }, operator);
    expect(fences()).toEqual([]);
  });

  test('is refused before it stops anything if it names a user whom the directory does not have', async () => {
    const id = await create('Staff', [ada]);
    expect(await codeOf(replace(id, 'nobody' as UserId))).toBe('invalid_request');
    expect(await readDirectoryGroup({ id, withMembers: true }, it.context)).toMatchObject({
      version: 1,
      members: [ada],
    });
  });
});

describe('a version that a request expects', () => {
  const expecting = (id: string, version: number, ...members: UserId[]) =>
    changeDirectoryGroup({ id, ifMatch: [version] }, { members: { add: members, remove: [] } }, it.context);

  test.each([0, 1, 2, 3, 4])('is that of one of two changes of members, the other of which is 412 (%d)', async (at) => {
    const id = await create('Staff');
    let sent = 0;
    let other: Promise<string> | undefined;
    memory.before = async () => {
      if (sent++ === at) other = codeOf(expecting(id, 1, bob));
      if (sent - 1 === at) await other;
    };
    const codes = [await codeOf(expecting(id, 1, ada)), await other];
    expect(codes.toSorted()).toEqual(['accepted', 'version_mismatch']);
    expect(await membersOf(id)).toEqual([codes[0] === 'accepted' ? ada : bob]);
  });

  test('is another as soon as somebody else changes a member', async () => {
    const id = await create('Staff');
    memory.beforeFirst('TransactWriteItems', () => add(id, bob));
    expect(await codeOf(expecting(id, 1, ada))).toBe('version_mismatch');
    expect(await membersOf(id)).toEqual([bob]);
  });
});

describe('a user whom the directory deletes and creates again at the same time', () => {
  const state = aDirectoryUser('ada');

  test.each(Array.from({ length: 14 }, (_, at) => at))('stays as created, out of all groups (%d)', async (at) => {
    const [writers, staff] = [await create('Writers', [ada]), await create('Staff', [ada, bob])];
    let sent = 0;
    let answer: string | undefined;
    memory.before = async () => {
      if (sent++ !== at) return;
      memory.before = undefined;
      answer = await provisionUser(state, it.context).then(
        ({ user }) => `${user.active} in ${user.groups.length}`,
        ({ code }) => code,
      );
    };
    await removeDirectoryUser({ id: ada }, it.context);
    memory.before = undefined;
    const found = await codeOf(readDirectoryUser({ id: ada }, it.context));
    const { status } = await getUser({ userId: ada });
    // Before the removal, or after the last request of it: then nobody was created meanwhile.
    if (answer === undefined || answer === 'already_exists')
      expect([found, status]).toEqual(['user_not_found', 'inactive']);
    else expect([answer, found, status]).toEqual(['true in 0', 'accepted', 'active']);
    expect([rolesOf(ada), await membersOf(writers), await membersOf(staff)]).toEqual([[], [], [bob]]);
  });

  test('is gone for the directory while it leaves its groups, which a repetition or a return completes', async () => {
    for (const complete of [
      () => removeDirectoryUser({ id: ada }, it.context),
      () => provisionUser(state, it.context),
    ]) {
      const id = await create('Writers', [ada]);
      let sent = 0;
      memory.before = ({ command }) => {
        if (command === 'TransactWriteItemsCommand' && ++sent > 1) throw outage;
      };
      expect(await codeOf(removeDirectoryUser({ id: ada }, it.context))).toBe('unavailable');
      memory.before = undefined;
      expect(await codeOf(readDirectoryUser({ id: ada }, it.context))).toBe('user_not_found');
      expect(await codeOf(changeDirectoryUser({ id: ada }, (current) => current, it.context))).toBe('user_not_found');
      expect(await codeOf(add(id, ada))).toBe('invalid_request');
      expect(holders()).toEqual([ada]);
      await complete();
      expect([holders(), await membersOf(id)]).toEqual([[], []]);
      await removeDirectoryGroup({ id }, it.context);
      await codeOf(provisionUser(state, it.context));
    }
  });
});

describe('users who are in many groups', () => {
  const inGroups = async (count: number, members: UserId[]) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await create(`Group ${n}`, members));
    return ids;
  };
  const memberships = () =>
    memory.table.items().flatMap(({ pk, sk }) => (/#GROUP#/.test(String(pk)) && /^USER#/.test(String(sk)) ? [sk] : []));

  test('leave all of them when the directory deletes them', async () => {
    await create('Editors', [ada]);
    await inGroups(120, [ada]);
    await removeDirectoryUser({ id: ada }, it.context);
    expect([memberships(), rolesOf(ada)]).toEqual([[], []]);
  });

  test('and whose deletion was interrupted leave all of them when a group is replaced without them', async () => {
    await others();
    const [id = ''] = await inGroups(40, [ada, bob, eve, dan]);
    await removeHalfway(ada, bob, eve);
    expect(await membersOf(id)).toEqual([dan]);
    await replace(id, dan);
    expect(new Set(memberships())).toEqual(new Set([`USER#${dan}`]));
  });
});
