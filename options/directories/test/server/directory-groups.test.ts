import { describe, expect, test } from '@jest/globals';
import { deleteConnection } from '#options/connections/server/delete-connection.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { getUser } from '#shared/domain/user/users.ts';
import { operator } from '#test/support/start-service.ts';
import { changeDirectoryGroup, createDirectoryGroup } from '../../server/change-directory-group.ts';
import { readDirectoryUser, removeDirectoryUser } from '../../server/change-directory-user.ts';
import { findDirectoryGroups, readDirectoryGroup } from '../../server/directory-groups.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { accountEntryKey } from '../../table/directory-item-keys.ts';
import { ada, bob, groupsForEachTest } from '../support/mapped-groups.ts';
import { aDirectoryUser, newDirectory } from '../support/new-directory.ts';
import { codeOf } from '../support/users-of-directories.ts';

const it = groupsForEachTest();
const { create, change, add, remove, membersOf, rolesOf, keysOfDirectory, accountsLeft, memory } = it;

describe('a group', () => {
  test('is created, read, found, renamed and deleted', async () => {
    const id = await create('Staff', [bob, ada]);
    expect(await readDirectoryGroup({ id, withMembers: true }, it.context)).toMatchObject({
      id,
      displayName: 'Staff',
      externalId: null,
      members: ['ada', 'bob'],
      version: 1,
    });
    const found = async (conditions: object) => {
      const page = { startIndex: 1, count: 10, withMembers: false };
      const { total, groups } = await findDirectoryGroups({ ...conditions, ...page }, it.context);
      return [total, ...groups.map(({ displayName, members }) => [displayName, members])];
    };
    expect(await found({ displayName: 'Staff' })).toEqual([1, ['Staff', undefined]]);
    expect(await found({ member: 'ada' })).toEqual([1, ['Staff', undefined]]);
    expect(await found({ member: 'ada', id: 'other' })).toEqual([0]);
    expect(await found({ displayName: 'staff' })).toEqual([0]);
    expect(await change(id, { displayName: 'Crew', externalId: 'x' })).toMatchObject({
      displayName: 'Crew',
      version: 2,
    });
    expect(await found({ externalId: 'x' })).toEqual([1, ['Crew', undefined]]);
    expect(await found({})).toEqual([1, ['Crew', undefined]]);
    expect((await readDirectoryUser({ id: ada }, it.context)).groups).toEqual([{ id, displayName: 'Crew' }]);
    await removeDirectoryGroup({ id }, it.context);
    expect(await codeOf(readDirectoryGroup({ id, withMembers: false }, it.context))).toBe('route_not_found');
    expect(await codeOf(removeDirectoryGroup({ id }, it.context))).toBe('route_not_found');
    expect((await readDirectoryUser({ id: ada }, it.context)).groups).toEqual([]);
    expect(keysOfDirectory().filter((key) => key.startsWith('GROUP'))).toEqual([]);
  });

  test('has a name and an external id of its own, and keeps one while it changes the other', async () => {
    const given = { externalId: 'x', members: [] };
    const { id: staff } = await createDirectoryGroup({ displayName: 'Staff', ...given }, it.context);
    const crew = await create('Crew');
    const taken = (what: string) => ({
      code: 'already_exists',
      options: {
        detail: `Another group of the directory has this ${what}.`,
        field: { name: what, detail: 'is taken' },
      },
    });
    await expect(create('Staff')).rejects.toMatchObject(taken('displayName'));
    await expect(change(crew, { displayName: 'Staff' })).rejects.toMatchObject(taken('displayName'));
    await expect(createDirectoryGroup({ displayName: 'New', ...given }, it.context)).rejects.toMatchObject(
      taken('externalId'),
    );
    await expect(change(crew, { externalId: 'x' })).rejects.toMatchObject(taken('externalId'));
    expect(await change(staff, { displayName: 'Personnel' })).toMatchObject({ externalId: 'x', version: 2 });
    expect(await change(staff, { externalId: 'y' })).toMatchObject({ displayName: 'Personnel', version: 3 });
    expect(await change(crew, { externalId: 'x' })).toMatchObject({ displayName: 'Crew', externalId: 'x' });
    await create('Staff');
  });

  test('is found by all of several conditions, and by one without reading all groups', async () => {
    const group = async (displayName: string, externalId: string, members: UserId[]) =>
      (await createDirectoryGroup({ displayName, externalId, members }, it.context)).id;
    const [staff, crew] = [await group('Staff', 's', [ada]), await group('Crew', 'c', [ada, bob])];
    await group('Others', 'o', []);
    const found = async (conditions: object) => {
      const page = { startIndex: 1, count: 10, withMembers: false };
      const { total, groups } = await findDirectoryGroups({ ...conditions, ...page }, it.context);
      expect(total).toBe(groups.length);
      return groups.map(({ id }) => id);
    };
    memory.sdk.requests.length = 0;
    expect(await found({ id: crew })).toEqual([crew]);
    expect(await found({ displayName: 'Crew' })).toEqual([crew]);
    expect(await found({ externalId: 'c' })).toEqual([crew]);
    expect(await found({ member: 'bob' })).toEqual([crew]);
    expect(await found({ member: 'ada' })).toEqual([staff, crew]);
    expect(await found({ member: 'ada', id: crew })).toEqual([crew]);
    expect(await found({ displayName: 'Crew', externalId: 's' })).toEqual([]);
    expect(await found({ id: crew, displayName: 'Staff' })).toEqual([]);
    expect(await found({ id: crew, externalId: 's' })).toEqual([]);
    expect(await found({ displayName: 'Nobody' })).toEqual([]);
    for (const member of ['nobody', 'not an id', '']) expect(await found({ member })).toEqual([]);
    expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toEqual([]);
    await provisionUser(aDirectoryUser('eve'), await newDirectory());
    expect(await found({ member: 'eve' })).toEqual([]);
  });

  test('of another connection is not there', async () => {
    const id = await create('Editors');
    const other = await newDirectory();
    expect(await codeOf(readDirectoryGroup({ id, withMembers: true }, other))).toBe('route_not_found');
    expect(await codeOf(changeDirectoryGroup({ id }, { displayName: 'x' }, other))).toBe('route_not_found');
    expect(await codeOf(removeDirectoryGroup({ id }, other))).toBe('route_not_found');
  });

  test('needs its own scope, and the version that the directory knows', async () => {
    const id = await create('Editors');
    const usersOnly = await newDirectory({}, { scopes: ['users:write'] });
    expect(await codeOf(createDirectoryGroup({ displayName: 'x', externalId: null, members: [] }, usersOnly))).toBe(
      'scope_missing',
    );
    for (const stale of [
      changeDirectoryGroup({ id, ifMatch: [7] }, { displayName: 'x' }, it.context),
      removeDirectoryGroup({ id, ifMatch: [7] }, it.context),
    ]) {
      await expect(stale).rejects.toMatchObject({
        code: 'version_mismatch',
        options: { detail: 'The group is at version 1. Re-read it and try again.' },
      });
    }
    await expect(readDirectoryGroup({ id: 'other', withMembers: false }, it.context)).rejects.toMatchObject({
      options: { detail: 'The directory has no group with this id.' },
    });
  });

  test('has another version after each change, which the answer says as a later read does', async () => {
    const id = await create('Editors');
    const read = () => readDirectoryGroup({ id, withMembers: false }, it.context);
    const added = await add(id, ada);
    expect([added.version, added.members]).toEqual([2, undefined]);
    expect(await read()).toEqual(added);
    expect(await change(id, { members: { add: [], remove: [] } })).toEqual(added);
    expect(await change(id, { displayName: 'Editors' })).toEqual(added);
    const renamed = await change(id, { displayName: 'Writers' });
    expect([renamed.version, renamed.members]).toEqual([3, undefined]);
    expect(await read()).toEqual(renamed);
  });

  test('is created with its members in the answer, each once and by id', async () => {
    const members = [bob, ada, bob];
    const created = await createDirectoryGroup({ displayName: 'Staff', externalId: null, members }, it.context);
    expect(created.members).toEqual([ada, bob]);
    expect(await readDirectoryGroup({ id: created.id, withMembers: true }, it.context)).toEqual(created);
  });

  test('takes only users of its directory, and refuses others before it adds anybody', async () => {
    const id = await create('Editors');
    await provisionUser(aDirectoryUser('eve'), await newDirectory());
    const detail = 'must be users of the directory; eve is not';
    await expect(add(id, ada, 'eve' as UserId)).rejects.toMatchObject({
      code: 'invalid_request',
      options: { field: { name: 'members', detail } },
    });
    expect(await codeOf(add(id, ada, 'nobody' as UserId))).toBe('invalid_request');
    expect(await membersOf(id)).toEqual([]);
    expect(await codeOf(remove(id, 'nobody' as UserId))).toBe('accepted');
  });
});

describe('a deleted connection', () => {
  const remove = () => deleteConnection({ connectionId: it.context.caller.connectionId }, operator);

  test('leaves its users with their status and their roles, and nothing of what the directory said', async () => {
    await create('Editors', [ada]);
    await provisionUser(aDirectoryUser('eve', { active: false }), it.context);
    await provisionUser(aDirectoryUser('dan'), it.context);
    await removeDirectoryUser({ id: 'dan' as UserId }, it.context);
    expect(await remove()).toEqual({ changed: true, complete: true });
    expect([keysOfDirectory(), accountsLeft()]).toEqual([[], []]);
    expect(rolesOf(ada)).toEqual(['billing editor', 'wiki viewer']);
    expect((await getUser({ userId: 'eve' as UserId })).status).toBe('inactive');
    expect(await codeOf(remove())).toBe('connection_not_found');
    const next = await newDirectory({ takeover: 'matching' });
    expect(await provisionUser(aDirectoryUser('ada'), next)).toMatchObject({ created: true });
  });

  test('does not take the accounts that another connection has taken over since', async () => {
    const next = await newDirectory({ takeover: 'matching' });
    memory.beforeFirst('"swept"', async () => {
      await provisionUser(aDirectoryUser('ada'), next);
      memory.put({ ...accountEntryKey(it.context.caller.connectionId, ada), userId: ada });
      throw Object.assign(new Error('gone'), { name: 'AccessDenied', $metadata: { httpStatusCode: 400 } });
    });
    await codeOf(remove());
    expect(await remove()).toEqual({ changed: false, complete: true });
    expect(await codeOf(readDirectoryUser({ id: ada }, next))).toBe('accepted');
  });

  test('is swept of what a request in progress still wrote, and by a repetition', async () => {
    const { connectionId } = it.context.caller;
    const late = () => memory.put({ pk: `SCIM#${connectionId}`, sk: 'NAME#late', userId: 'late' });
    memory.beforeFirst('"swept"', () => {
      late();
      throw Object.assign(new Error('gone'), { name: 'AccessDenied', $metadata: { httpStatusCode: 400 } });
    });
    await codeOf(remove());
    expect(await remove()).toEqual({ changed: false, complete: true });
    expect(keysOfDirectory()).toEqual([]);
  });

  test('is answered as a change to the repeated request that deleted it, even while the rest is left to delete', async () => {
    const { connectionId } = it.context.caller;
    const content = { method: 'DELETE', path: '/connections', query: '', ifMatch: undefined, body: Buffer.alloc(0) };
    const again = () =>
      deleteConnection({ connectionId }, { ...operator, attempt: { content, idempotencyKey: 'once' } });
    memory.beforeFirst('"swept"', () => {
      throw Object.assign(new Error('gone'), { name: 'AccessDenied', $metadata: { httpStatusCode: 400 } });
    });
    await codeOf(again());
    expect(await again()).toEqual({ changed: true, complete: true });
  });
});

describe('a large group', () => {
  test('changes one member without reading the others, and all of them in transactions of many', async () => {
    const names = Array.from({ length: 500 }, (_, n) => `user-${String(n).padStart(3, '0')}`);
    for (const name of names) await provisionUser(aDirectoryUser(name), it.context);
    const id = await create('Staff');
    memory.sdk.requests.length = 0;
    await change(id, { members: { set: names as UserId[] } });
    const sent = memory.sdk.requests.filter(({ command }) => command === 'TransactWriteItemsCommand');
    expect(sent.length).toBeLessThan(20);
    expect(memory.sdk.requests.length).toBeLessThan(60);
    expect(await membersOf(id)).toEqual(names);
    memory.sdk.requests.length = 0;
    await add(id, ada);
    expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toEqual([]);
    expect(memory.sdk.requests.length).toBeLessThan(7);
  });
});
