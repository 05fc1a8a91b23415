import { beforeEach, describe, expect, test } from '@jest/globals';
import { revokeConnectionKey } from '#options/connections/server/connection-keys.ts';
import { deleteConnection } from '#options/connections/server/delete-connection.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { operator } from '#test/support/start-service.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { groupsForEachTest } from '../support/mapped-groups.ts';
import { aDirectoryUser } from '../support/new-directory.ts';
import { codeOf } from '../support/users-of-directories.ts';

const it = groupsForEachTest();
const { create, add, remove, change, rolesOf, memory } = it;

/** More than are changed together, 33, and at the same time, 10. */
const people = Array.from({ length: 40 }, (_, n) => `person-${n}` as UserId);
beforeEach(async () => {
  for (const name of people) await provisionUser(aDirectoryUser(name), it.context);
});

const withRoles = () => people.filter((userId) => rolesOf(userId).length > 0).length;
const revoke = () => revokeConnectionKey(it.context.caller, operator);
/** Once the access of a first user was written; those who are being changed at that time are completed. */
const afterTheFirst = (act: () => unknown) => {
  let isWritten = false;
  memory.before = ({ command, input }) => {
    if (isWritten) {
      memory.before = undefined;
      return act();
    }
    isWritten = command === 'TransactWriteItemsCommand' && JSON.stringify(input).includes('ACCESS#');
    return undefined;
  };
};

describe('a token that is revoked while a request of the directory is running stops it before its next user', () => {
  test('who would get a role', async () => {
    const id = await create('Editors');
    afterTheFirst(revoke);
    expect(await codeOf(add(id, ...people))).toBe('key_revoked');
    expect(withRoles()).toBeGreaterThan(0);
    expect(withRoles()).toBeLessThanOrEqual(10);
  });

  test('who would lose a role', async () => {
    const id = await create('Editors', people);
    afterTheFirst(revoke);
    expect(await codeOf(remove(id, ...people))).toBe('key_revoked');
    expect(withRoles()).toBeGreaterThanOrEqual(people.length - 10);
  });

  test('who would get the roles of a new name', async () => {
    const id = await create('Readers', people);
    afterTheFirst(revoke);
    expect(await codeOf(change(id, { displayName: 'Editors' }))).toBe('key_revoked');
    expect(withRoles()).toBeLessThanOrEqual(10);
  });

  test('who would leave a group that is deleted', async () => {
    const id = await create('Editors', people);
    afterTheFirst(revoke);
    expect(await codeOf(removeDirectoryGroup({ id }, it.context))).toBe('key_revoked');
    expect(withRoles()).toBeGreaterThanOrEqual(people.length - 10);
  });
});

test('so does the deletion of the connection', async () => {
  const id = await create('Editors');
  const { connectionId } = it.context.caller;
  afterTheFirst(() => deleteConnection({ connectionId }, operator));
  expect(await codeOf(add(id, ...people))).toBe('key_revoked');
  expect(withRoles()).toBeLessThanOrEqual(10);
});
