import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { newApplication } from '#test/support/new-application.ts';
import { operator, startSources, type TestService } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { changesIn } from '../support/directory-run.ts';
import { aDirectoryUser, newDirectory } from '../support/new-directory.ts';

/** More with the environment variable, such as 10000; then over a table in memory, which takes a tenth of the time. */
const users = Number(process.env.DIRECTORY_USERS ?? 120);
const isInMemory = process.env.DIRECTORY_USERS !== undefined;

let service: TestService | undefined;
let directory: Awaited<ReturnType<typeof loadDirectory>>;
if (isInMemory) {
  const memory = tableForEachTest(Date.now(), { maxRequests: Number.POSITIVE_INFINITY });
  beforeEach(() => {
    jest.useRealTimers();
    // Millions of requests are not kept.
    memory.before = () => {
      memory.sdk.requests.length = 0;
    };
  });
}
beforeAll(async () => {
  service = isInMemory ? undefined : await startSources();
  directory = await loadDirectory();
});
afterAll(() => service?.stop());

async function loadDirectory() {
  return {
    ...(await import('../../server/provision-user.ts')),
    ...(await import('../../server/change-directory-user.ts')),
    ...(await import('../../server/find-directory-users.ts')),
    ...(await import('../../server/change-directory-group.ts')),
    ...(await import('#shared/domain/user/users.ts')),
    ...(await import('#shared/table/items/user-item.ts')),
    ...(await import('#shared/table/items/access-item.ts')),
    ...(await import('#shared/domain/role/grant-role.ts')),
  };
}

describe('a directory that syncs many users at the same time, beside operators', () => {
  test('leaves every user with the status that it said last, and every role with whom it belongs to', async () => {
    const appId = (await newApplication(['editor'])) as AppId;
    const editor = 'editor' as RoleName;
    const groupRoles = [{ group: 'Editors', appId, role: editor }];
    const context = await newDirectory({ applications: [appId], groupRoles, userIdAttribute: 'externalId' });
    const { id: group } = await directory.createDirectoryGroup(
      { displayName: 'Editors', externalId: null, members: [] },
      context,
    );
    const ids = Array.from({ length: users }, (_, n) => `synced-${users}-${n}`);
    // On a busy machine, more at once would take longer than an attempt may.
    const expected = await mapConcurrently(ids, (id) => sync(id, { context, group, appId, editor }), 5);
    const stored = await directory.readUsers(ids as UserId[]);
    const { accesses } = await directory.readCurrentAccesses(appId, ids as UserId[]);
    const found = ids.map((id) => ({
      status: stored.get(id)?.status,
      isEditor: accesses.get(id as UserId)?.access.roles.editor !== undefined,
    }));
    expect(found).toEqual(expected.map(({ status, isEditor }) => ({ status, isEditor })));
    const { total } = await directory.findDirectoryUsers({ startIndex: 1, count: 0 }, context);
    expect(total).toBe(expected.filter(({ isRemoved }) => !isRemoved).length);
  });
});

interface Setting {
  readonly context: ConnectionContext;
  readonly group: string;
  readonly appId: AppId;
  readonly editor: RoleName;
}

/** Sends the changes of one user, and returns what must be the end of it. */
async function sync(externalId: string, { context, group, appId, editor }: Setting) {
  const id = externalId as UserId;
  const state = aDirectoryUser(`${externalId}@example.com`, { externalId });
  await directory.provisionUser(state, context);
  const end = { status: 'active', isEditor: false, isRemoved: false };
  let isGivenByPerson = false;
  for (const change of changesIn(externalId)) {
    if (end.isRemoved && change !== 'return') continue;
    switch (change) {
      case 'deactivate':
      case 'activate': {
        const active = change === 'activate';
        await directory.changeDirectoryUser({ id }, (current) => ({ ...current, active }), context);
        end.status = active ? 'active' : 'inactive';
        break;
      }
      case 'rename':
        await directory.changeDirectoryUser(
          { id },
          (current) => ({ ...current, userName: `${current.userName}.renamed` }),
          context,
        );
        break;
      case 'remove':
        await directory.removeDirectoryUser({ id }, context);
        Object.assign(end, { status: 'inactive', isRemoved: true, isEditor: isGivenByPerson });
        break;
      case 'return':
        if (end.isRemoved || end.status === 'inactive') {
          await directory.provisionUser(state, context);
          Object.assign(end, { status: 'active', isRemoved: false });
        }
        break;
      case 'join':
        await directory.changeDirectoryGroup({ id: group }, { members: { add: [id], remove: [] } }, context);
        end.isEditor = true;
        break;
      case 'leave':
        await directory.changeDirectoryGroup({ id: group }, { members: { add: [], remove: [id] } }, context);
        end.isEditor = isGivenByPerson;
        break;
      case 'assigned by a person':
        await directory.assignRole(
          { userId: id, appId, grant: { role: editor, expiresAt: '2029-01-01T00:00:00.000Z' } },
          operator,
        );
        isGivenByPerson = true;
        end.isEditor = true;
        break;
      default:
        change satisfies never;
    }
  }
  return end;
}
