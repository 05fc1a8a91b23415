import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { describeService } from '#test/support/describe-service.ts';
import { newApplication } from '#test/support/new-application.ts';
import { type ConnectedDirectory, connectDirectory } from '../support/ask-scim.ts';

const rounds = Array.from({ length: 8 }, (_, n) => n + 1);
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };

const service = describeService();
let appId: AppId;
let ask: ConnectedDirectory['ask'];
beforeAll(async () => {
  appId = (await newApplication(['editor'])) as AppId;
  const groupRoles = [{ group: 'Editors', appId, role: 'editor' as RoleName }];
  const applications = [appId];
  ({ ask } = await connectDirectory(service, { applications, groupRoles, userIdAttribute: 'externalId' }));
});

let created = 0;
const groupOf = (members: readonly string[], displayName: string) => ({
  schemas: [groupSchema],
  displayName,
  members: members.map((value) => ({ value })),
});

async function newUsers(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `racer-${++created}`);
  for (const id of ids) {
    expect((await ask('POST', '/Users', { userName: `${id}@x.io`, externalId: id })).status).toBe(201);
  }
  return ids;
}

async function newGroup(members: readonly string[], displayName = `Group ${++created}`): Promise<string> {
  const { status, body } = await ask('POST', '/Groups', groupOf(members, displayName));
  expect(status).toBe(201);
  return body.id;
}

async function membersOf(group: string): Promise<string[]> {
  const { body } = await ask('GET', `/Groups/${group}`);
  return (body.members ?? []).map(({ value }: { readonly value: string }) => value).sort();
}

/** As a directory does: 503 says that the request may be sent again. */
async function askUntilDone(...request: Parameters<ConnectedDirectory['ask']>) {
  for (;;) {
    const answer = await ask(...request);
    if (answer.status !== 503) return answer;
  }
}

describe('requests of a directory that the service receives at the same time', () => {
  test.each(rounds)(
    'that replace the members of a group leave those of one of them, and their roles (%i)',
    async () => {
      const { readCurrentAccesses } = await import('#shared/table/items/access-item.ts');
      const users = await newUsers(8);
      const sets = [users.slice(0, 4), users.slice(3, 7)];
      const group = await newGroup(users.slice(6), 'Editors');
      const answers = await Promise.all(
        sets.map((set) => askUntilDone('PUT', `/Groups/${group}`, groupOf(set, 'Editors'))),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const members = await membersOf(group);
      expect(sets.map((set) => [...set].sort())).toContainEqual(members);
      const { accesses } = await readCurrentAccesses(appId, users as UserId[]);
      const editors = users.filter((id) => accesses.get(id as UserId)?.access.roles.editor !== undefined);
      expect(editors.sort()).toEqual(members);
      expect((await ask('DELETE', `/Groups/${group}`)).status).toBe(204);
    },
  );

  test.each(rounds)('with the same If-Match change a group once, and the other one is 412 (%i)', async () => {
    const users = await newUsers(2);
    const group = await newGroup([]);
    const { headers } = await ask('GET', `/Groups/${group}`);
    const answers = await Promise.all(
      users.map((value) =>
        ask(
          'PATCH',
          `/Groups/${group}`,
          { ...patchOp, Operations: [{ op: 'add', path: 'members', value: [{ value }] }] },
          { 'if-match': String(headers.etag) },
        ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([204, 412]);
    expect(await membersOf(group)).toEqual(users.filter((_, at) => statuses[at] === 204));
  });

  test.each(rounds)('that delete and create a user leave the user whom the creation answered active (%i)', async () => {
    const [id = ''] = await newUsers(1);
    const groups = await Promise.all([1, 2, 3].map(() => newGroup([id])));
    const user = { userName: `${id}@x.io`, externalId: id };
    /** Until the deletion has begun, the user exists: 409. */
    const createAgain = async () => {
      for (;;) {
        const answer = await askUntilDone('POST', '/Users', user);
        if (answer.status !== 409) return answer;
      }
    };
    const [removed, returned] = await Promise.all([ask('DELETE', `/Users/${id}`), createAgain()]);
    expect([removed.status, returned.status, returned.body.active]).toEqual([204, 200, true]);
    const { status, body } = await ask('GET', `/Users/${id}`);
    expect([status, body.active, body.groups ?? []]).toEqual([200, true, []]);
    expect((await service.items()).get(`USER#${id} USER`)?.status).toBe('active');
    expect(await Promise.all(groups.map(membersOf))).toEqual([[], [], []]);
  });
});
