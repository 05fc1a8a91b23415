import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import type { ManageOperationName, ManageOperations } from '#shared/contract/operations.ts';
import { tableFormatKey } from '#shared/contract/table-format.ts';
import { createUlid } from '#shared/core/ids.ts';
import { alterItem, removeItem } from './alter-item.ts';
import { eventually } from './eventually.ts';
import { grantRole, newApplication, setStatus } from './new-application.ts';
import { newUser } from './new-user.ts';
import type { ManageOutcomes, Never } from './outcomes.ts';
import type { Answer } from './send-request.ts';
import { operator, type TestService } from './start-service.ts';
import { fromNow } from './timestamps.ts';

/** Sends a request to the Management API as an admin. */
export type AskManage = <Name extends ManageOperationName>(
  name: Name,
  call: OperationRequest<ManageOperations[Name]>,
) => Promise<Answer>;

const reads: Never = { never: 'It reads and writes nothing.' };
const creates: Never = { never: 'Each request creates another one, or is refused.' };
const anything: Never = { never: 'What it does not find is no reason to refuse.' };
const outcomesEach: Never = { never: 'Whom it cannot change is an outcome of its own.' };

const nowhere = { appId: 'nowhere' };
const nobody = { userId: 'nobody' };

let created = 0;
const fresh = () => `fresh-${++created}`;

async function newKey(service: TestService): Promise<{ readonly appId: string; readonly keyId: string }> {
  const appId = await newApplication();
  const { keyId } = await service.issueKey(appId, ['access:read']);
  return { appId, keyId };
}

/** Creates a user with a role and a block in a separate application. */
async function newMember() {
  const [appId, userId] = [await newApplication(['editor', 'viewer']), await newUser()];
  await grantRole(userId, appId, 'editor');
  await setStatus(userId, appId, 'disabled');
  return { appId, userId, role: 'editor' };
}

async function setInactive(userId: string): Promise<void> {
  const { setUserStatus } = await import('#shared/domain/user/users.ts');
  await setUserStatus({ userId: userId as UserId, status: 'inactive', reason: null }, operator);
}

async function eraseUser(userId: string): Promise<void> {
  const { deleteUser } = await import('#shared/domain/user/delete-user.ts');
  await deleteUser({ userId: userId as UserId }, operator);
}

/** Removes the changes of a partition from the global history, once they are listed. */
async function unlistChanges(service: TestService, pk: string): Promise<void> {
  const entries = async () =>
    [...(await service.items({ historyEntries: true })).values()].filter(({ changePk }) => changePk === pk);
  const listed = await eventually(entries, (found) => found.length > 0);
  for (const { pk: partition, sk } of listed) await removeItem(service, [String(partition), String(sk)]);
}

async function removeRole(appId: string, role: string): Promise<void> {
  const { deleteRole } = await import('#shared/domain/role/delete-role.ts');
  await deleteRole({ appId: appId as AppId, role: role as RoleName, force: true }, operator);
}

/** The requests of operators, by outcome. */
export function manageOutcomes(service: () => TestService, ask: AskManage): ManageOutcomes {
  const changeIdOf = async (answer: Promise<Answer>): Promise<string> => (await answer).body.changeId;
  /** Creates a bulk that changed one user. */
  const blockInBulk = async () => {
    const [appId, userId, bulkId] = [await newApplication(), await newUser(), createUlid(new Date())];
    await ask('set-access-in-bulk', { path: { appId }, body: { userIds: [userId], status: 'disabled', bulkId } });
    return { appId, userId, bulkId };
  };
  const deactivateInBulk = async () => {
    const [userId, bulkId] = [await newUser(), createUlid(new Date())];
    await ask('set-user-status-in-bulk', { body: { userIds: [userId], status: 'inactive', bulkId } });
    return { userId, bulkId };
  };
  const firstChange = async (userId: string) =>
    (await ask('list-user-changes', { path: { userId }, query: { limit: 1 } })).body.items[0];

  return {
    'get-operator': { done: async () => ({ call: {}, status: 200 }), refused: anything },
    'create-application': {
      done: async () => {
        // As the first application of a table.
        await removeItem(service(), [tableFormatKey.pk, tableFormatKey.sk]);
        return { call: { body: { appId: fresh(), name: 'New' } }, status: 201 };
      },
      unchanged: creates,
      refused: async () => ({ call: { body: { appId: 'billing', name: 'Again' } }, status: 409 }),
    },
    'list-applications': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'get-application': {
      done: async () => ({ call: { path: { appId: 'billing' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere }, status: 404 }),
    },
    'update-application': {
      done: async () => ({ call: { path: { appId: await newApplication() }, body: { name: 'Renamed' } }, status: 200 }),
      unchanged: async () => ({ call: { path: { appId: 'billing' }, body: { name: 'billing' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, body: { name: 'Renamed' } }, status: 404 }),
    },
    'delete-application': {
      done: async () => ({ call: { path: { appId: await newApplication() }, query: {} }, status: 200 }),
      'done by force': async () => {
        const { appId } = await newMember();
        const key = await service().issueKey(appId, ['access:read']);
        await service().request(['GET', '/api/service/users/ada/access'], { key });
        return { call: { path: { appId }, query: { force: 'true' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { appId: fresh() }, query: {} }, status: 200 }),
      refused: async () => ({ call: { path: { appId: (await newMember()).appId }, query: {} }, status: 409 }),
    },
    'issue-key': {
      done: async () => ({ call: { path: { appId: await newApplication() }, body: { label: 'New' } }, status: 201 }),
      unchanged: creates,
      refused: async () => ({ call: { path: nowhere, body: {} }, status: 404 }),
    },
    'list-keys': {
      done: async () => ({ call: { path: { appId: 'billing' }, query: {} }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'list-all-keys': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'update-key': {
      done: async () => ({ call: { path: await newKey(service()), body: { label: 'Renamed' } }, status: 200 }),
      unchanged: async () => ({ call: { path: await newKey(service()), body: { label: null } }, status: 200 }),
      refused: async () => ({
        call: { path: { appId: 'billing', keyId: 'unknown' }, body: { label: 'Renamed' } },
        status: 404,
      }),
    },
    'revoke-key': {
      done: async () => ({ call: { path: await newKey(service()) }, status: 200 }),
      unchanged: async () => {
        const path = await newKey(service());
        await ask('revoke-key', { path });
        return { call: { path }, status: 200 };
      },
      refused: async () => ({ call: { path: { appId: 'billing', keyId: 'unknown' } }, status: 404 }),
    },
    'rotate-key': {
      done: async () => ({ call: { path: await newKey(service()), body: { overlap: 'PT1H' } }, status: 201 }),
      unchanged: creates,
      refused: async () => ({
        call: { path: { appId: 'billing', keyId: 'unknown' }, body: { overlap: 'PT1H' } },
        status: 404,
      }),
    },
    'list-roles': {
      done: async () => ({ call: { path: { appId: 'billing' }, query: {} }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'define-role': {
      done: async () => ({ call: { path: { appId: await newApplication(), role: 'editor' }, body: {} }, status: 201 }),
      'done with another description': async () => ({
        call: { path: { appId: await newApplication(['editor']), role: 'editor' }, body: { description: 'Edits' } },
        status: 200,
      }),
      'done after its deletion': async () => {
        const { appId, role } = await newMember();
        await removeRole(appId, role);
        return { call: { path: { appId, role }, body: {} }, status: 201 };
      },
      unchanged: async () => ({
        call: { path: { appId: await newApplication(['editor']), role: 'editor' }, body: {} },
        status: 200,
      }),
      refused: async () => ({ call: { path: { ...nowhere, role: 'editor' }, body: {} }, status: 404 }),
    },
    'get-role': {
      done: async () => ({ call: { path: { appId: 'billing', role: 'editor' } }, status: 200 }),
      refused: async () => ({ call: { path: { appId: 'billing', role: 'nothing' } }, status: 404 }),
    },
    'delete-role': {
      done: async () => ({
        call: { path: { appId: await newApplication(['editor']), role: 'editor' }, query: {} },
        status: 200,
      }),
      'done by force': async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: { force: 'true' } }, status: 200 };
      },
      'done by force for a member whose access is gone': async () => {
        const { appId, userId, role } = await newMember();
        await removeItem(service(), [`USER#${userId}`, `ACCESS#${appId}`]);
        return { call: { path: { appId, role }, query: { force: 'true' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { appId: 'billing', role: 'nothing' }, query: {} }, status: 200 }),
      refused: async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: {} }, status: 409 };
      },
    },
    'list-members': {
      done: async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: {} }, status: 200 };
      },
      refused: async () => ({ call: { path: { appId: 'billing', role: 'nothing' }, query: {} }, status: 404 }),
    },
    'assign-role-in-bulk': {
      done: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: [await newUser()] } },
        status: 200,
      }),
      unchanged: async () => {
        const { appId, userId, role } = await newMember();
        return { call: { path: { appId, role }, body: { userIds: [userId] } }, status: 200 };
      },
      refused: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: ['nobody'] } },
        status: 200,
      }),
    },
    'revoke-role-in-bulk': {
      done: async () => {
        const { appId, userId, role } = await newMember();
        return { call: { path: { appId, role }, body: { userIds: [userId] } }, status: 200 };
      },
      unchanged: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: [await newUser()] } },
        status: 200,
      }),
      refused: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: ['nobody'] } },
        status: 200,
      }),
    },
    'list-application-users': {
      done: async () => ({ call: { path: { appId: (await newMember()).appId }, query: {} }, status: 200 }),
      'done for explicitly disabled users': async () => ({
        call: { path: { appId: (await newMember()).appId }, query: { status: 'disabled' } },
        status: 200,
      }),
      'done for effectively disabled users': async () => ({
        call: { path: { appId: (await newMember()).appId }, query: { effectiveStatus: 'disabled' } },
        status: 200,
      }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'set-access-in-bulk': {
      done: async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: [await newUser()], status: 'disabled' } },
        status: 200,
      }),
      'done as a dry run': async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: [await newUser()], status: 'disabled', dryRun: true } },
        status: 200,
      }),
      unchanged: async () => {
        const { appId, userId } = await newMember();
        const body = { userIds: [userId], status: 'disabled', reason: 'a reason' } as const;
        return { call: { path: { appId }, body }, status: 200 };
      },
      refused: async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: ['nobody'], status: 'disabled' } },
        status: 200,
      }),
    },
    'list-application-changes': {
      done: async () => ({ call: { path: { appId: 'billing' }, query: {} }, status: 200 }),
      'done forward': async () => ({ call: { path: { appId: 'billing' }, query: { after: '' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'list-users': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for an id prefix': async () => ({ call: { query: { prefix: 'ad' } }, status: 200 }),
      'done for a word': async () => ({ call: { query: { q: 'example' } }, status: 200 }),
      'done for inactive users': async () => {
        await setInactive(await newUser());
        return { call: { query: { status: 'inactive' } }, status: 200 };
      },
      refused: anything,
    },
    'resolve-users': {
      done: async () => ({ call: { body: { names: ['ada', 'grace@example.com'] } }, status: 200 }),
      unchanged: reads,
      refused: anything,
    },
    'reindex-users': {
      done: async () => {
        const [withoutWords, active, inactive] = [await newUser('a-1'), await newUser('a-2'), await newUser('a-3')];
        await alterItem(service(), [`USER#${withoutWords}`, 'USER'], ['words'], '');
        await setInactive(active);
        await alterItem(service(), [`USER#${active}`, 'USER'], ['status'], 'active');
        await alterItem(service(), [`USER#${inactive}`, 'USER'], ['status'], 'inactive');
        return { call: { query: { limit: 100 } }, status: 200 };
      },
      unchanged: async () => ({ call: { query: { limit: 1 } }, status: 200 }),
      refused: anything,
    },
    'create-user': {
      done: async () => ({ call: { path: { userId: fresh() }, body: { displayName: 'Ada Byron' } }, status: 201 }),
      'done after its deletion': async () => {
        const userId = await newUser();
        await eraseUser(userId);
        return { call: { path: { userId }, body: {} }, status: 201 };
      },
      unchanged: creates,
      refused: async () => ({ call: { path: { userId: 'ada' }, body: {} }, status: 409 }),
    },
    'get-user': {
      done: async () => {
        const userId = await newUser();
        await setInactive(userId);
        return { call: { path: { userId } }, status: 200 };
      },
      refused: async () => ({ call: { path: nobody }, status: 404 }),
    },
    'update-user': {
      done: async () => ({
        call: { path: { userId: await newUser() }, body: { displayName: 'Ada', email: 'ada@example.org' } },
        status: 200,
      }),
      unchanged: async () => ({ call: { path: { userId: 'ada' }, body: { displayName: null } }, status: 200 }),
      refused: async () => ({ call: { path: nobody, body: { displayName: 'Ada' } }, status: 404 }),
    },
    'delete-user': {
      done: async () => {
        const { userId } = await newMember();
        await setInactive(userId);
        return { call: { path: { userId } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { userId: fresh() } }, status: 200 }),
      refused: anything,
    },
    'set-user-status': {
      done: async () => ({ call: { path: { userId: await newUser() }, body: { status: 'inactive' } }, status: 200 }),
      'done for an inactive user': async () => {
        const userId = await newUser();
        await setInactive(userId);
        return { call: { path: { userId }, body: { status: 'active' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { userId: 'ada' }, body: { status: 'active' } }, status: 200 }),
      refused: async () => ({ call: { path: nobody, body: { status: 'inactive' } }, status: 404 }),
    },
    'set-user-status-in-bulk': {
      done: async () => ({ call: { body: { userIds: [await newUser()], status: 'inactive' } }, status: 200 }),
      unchanged: async () => ({ call: { body: { userIds: ['ada'], status: 'active' } }, status: 200 }),
      refused: async () => ({ call: { body: { userIds: ['nobody'], status: 'inactive' } }, status: 200 }),
    },
    'list-user-access': {
      done: async () => ({ call: { path: { userId: (await newMember()).userId }, query: {} }, status: 200 }),
      'done for one application': async () => ({
        call: { path: { userId: 'ada' }, query: {} },
        status: 200,
        groups: ['viewer:billing'],
      }),
      refused: async () => ({ call: { path: nobody, query: {} }, status: 404 }),
    },
    'set-user-access': {
      done: async () => ({
        call: { path: { userId: await newUser(), appId: 'billing' }, body: { status: 'disabled' } },
        status: 200,
      }),
      unchanged: async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { userId, appId }, body: { status: 'disabled', reason: 'a reason' } }, status: 200 };
      },
      refused: async () => ({
        call: { path: { ...nobody, appId: 'billing' }, body: { status: 'enabled' } },
        status: 404,
      }),
    },
    'assign-user-role': {
      done: async () => ({
        call: { path: { userId: await newUser(), appId: 'billing', role: 'editor' }, body: {} },
        status: 200,
      }),
      'done for a user whose other grant has expired': async () => {
        const { appId, userId } = await newMember();
        await alterItem(
          service(),
          [`USER#${userId}`, `ACCESS#${appId}`],
          ['roles', 'editor', 'expiresAt'],
          fromNow(-1),
        );
        return { call: { path: { userId, appId, role: 'viewer' }, body: {} }, status: 200 };
      },
      unchanged: async () => ({ call: { path: await newMember(), body: {} }, status: 200 }),
      refused: async () => ({
        call: { path: { userId: 'ada', appId: 'billing', role: 'nothing' }, body: {} },
        status: 404,
      }),
    },
    'revoke-user-role': {
      done: async () => ({ call: { path: await newMember() }, status: 200 }),
      unchanged: async () => ({ call: { path: { userId: 'ada', appId: 'billing', role: 'nothing' } }, status: 200 }),
      refused: async () => ({ call: { path: { ...nobody, appId: 'billing', role: 'editor' } }, status: 404 }),
    },
    'list-user-changes': {
      done: async () => ({ call: { path: { userId: (await newMember()).userId }, query: {} }, status: 200 }),
      'done for one application': async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { userId }, query: {} }, status: 200, groups: [`viewer:${appId}`] };
      },
      refused: anything,
    },
    'verify-changes': {
      done: async () => {
        const { userId } = await newMember();
        return { call: { body: { changes: [await firstChange(userId)] } }, status: 200 };
      },
      unchanged: reads,
      refused: anything,
    },
    'list-all-changes': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for a user': async () => ({ call: { query: { userId: 'ada' } }, status: 200 }),
      'done for an application': async () => ({ call: { query: { appId: 'billing' } }, status: 200 }),
      'done for an operator': async () => ({ call: { query: { actor: 'test' } }, status: 200 }),
      refused: anything,
    },
    'reindex-changes': {
      done: async () => {
        const { userId } = await newMember();
        await unlistChanges(service(), `USER#${userId}`);
        return { call: { query: { limit: 100 } }, status: 200 };
      },
      'done for applications': async () => {
        await unlistChanges(service(), `APP#${await newApplication()}`);
        return { call: { query: { limit: 100, cursor: 'applications.' } }, status: 200 };
      },
      'done for erased users': async () => {
        await eraseUser(await newUser());
        return { call: { query: { limit: 100, cursor: 'erasures.' } }, status: 200 };
      },
      unchanged: async () => ({ call: { query: { limit: 1 } }, status: 200 }),
      refused: anything,
    },
    'undo-bulk': {
      done: async () => {
        const { appId, bulkId } = await blockInBulk();
        return { call: { path: { appId, bulkId }, query: {} }, status: 200 };
      },
      unchanged: async () => ({
        call: { path: { appId: 'billing', bulkId: createUlid(new Date()) }, query: {} },
        status: 200,
      }),
      refused: async () => {
        const { appId, userId, bulkId } = await blockInBulk();
        await setStatus(userId, appId, 'enabled');
        return { call: { path: { appId, bulkId }, query: {} }, status: 200 };
      },
    },
    'undo-status-bulk': {
      done: async () => ({ call: { path: { bulkId: (await deactivateInBulk()).bulkId }, query: {} }, status: 200 }),
      unchanged: async () => ({ call: { path: { bulkId: createUlid(new Date()) }, query: {} }, status: 200 }),
      refused: outcomesEach,
    },
    'undo-change': {
      done: async () => {
        const [userId, appId] = [await newUser(), 'billing'];
        const body = { status: 'disabled' } as const;
        const changeId = await changeIdOf(ask('set-user-access', { path: { userId, appId }, body }));
        return { call: { path: { userId, changeId } }, status: 200 };
      },
      'done for a grant': async () => {
        const path = await newMember();
        const changeId = await changeIdOf(ask('revoke-user-role', { path }));
        return { call: { path: { userId: path.userId, changeId } }, status: 200 };
      },
      'done for a status': async () => {
        const userId = await newUser();
        const body = { status: 'inactive' } as const;
        const changeId = await changeIdOf(ask('set-user-status', { path: { userId }, body }));
        return { call: { path: { userId, changeId } }, status: 200 };
      },
      unchanged: { never: 'What was changed since is refused.' },
      refused: async () => ({ call: { path: { userId: 'ada', changeId: '0'.repeat(26) } }, status: 404 }),
    },
  };
}
