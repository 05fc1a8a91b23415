import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { GroupRole } from '#options/connections/contract/group-roles.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { describeService } from '#test/support/describe-service.ts';
import { grantRole, newApplication } from '#test/support/new-application.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';
import { type ConnectedDirectory, connectDirectory, isActivity, itemsBut } from '../support/ask-scim.ts';

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };
const service = describeService();
let sdk: WatchedSdk;
let ask: ConnectedDirectory['ask'];
let appId: string;
beforeAll(async () => {
  sdk = await watchServiceTable();
  appId = await newApplication(['editor', 'viewer']);
  const groupRoles = [{ group: 'Editors', appId, role: 'editor' } as unknown as GroupRole];
  ({ ask } = await connectDirectory(service, { applications: [appId as AppId], groupRoles }));
  await recordKeyUse(sdk, () => ask('GET', '/Groups?count=0'));
});
beforeEach(() => {
  sdk.fault = undefined;
  sdk.requests.length = 0;
});

/** The requests to the table but for the record of requests. */
const asked = () => sdk.requests.filter((request) => !isActivity(request));

let created = 0;
const member = (value: string) => ({ value });
const patch = (id: string, ...Operations: readonly object[]) =>
  ask('PATCH', `/Groups/${id}`, { ...patchOp, Operations });
const filtered = (filter: string, more = '') => ask('GET', `/Groups?filter=${encodeURIComponent(filter)}${more}`);
const error = (status: number, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
  detail: expect.any(String),
});

async function newUsers(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => `member-${++created}@x.io`);
  for (const userName of names) {
    expect((await ask('POST', '/Users', { userName, externalId: userName })).status).toBe(201);
  }
  return names;
}

async function newGroup(members: readonly string[] = [], displayName = `Group ${++created}`): Promise<string> {
  const { status, body } = await ask('POST', '/Groups', {
    schemas: [groupSchema],
    displayName,
    members: members.map(member),
  });
  expect([status, body.displayName]).toEqual([201, displayName]);
  sdk.requests.length = 0;
  return body.id;
}

async function membersOf(id: string): Promise<string[]> {
  const { body } = await ask('GET', `/Groups/${id}`);
  return (body.members ?? []).map(({ value }: { value: string }) => value).sort();
}

async function rolesOf(userId: string): Promise<readonly string[]> {
  const { readCurrentAccess } = await import('#shared/table/items/access-item.ts');
  const { access } = await readCurrentAccess({ userId: userId as UserId, appId: appId as AppId });
  return Object.keys(access.roles);
}

describe('Okta', () => {
  test('looks a group up that does not exist, and creates it', async () => {
    const none = await filtered('displayName eq "New"', '&startIndex=1&count=100');
    expect([none.status, none.body.totalResults, none.body.Resources]).toEqual([200, 0, []]);
    const { status, headers, body } = await ask('POST', '/Groups', { displayName: 'New', members: [] });
    expect([status, body]).toEqual([
      201,
      {
        schemas: [groupSchema],
        id: expect.any(String),
        displayName: 'New',
        members: [],
        meta: expect.objectContaining({ resourceType: 'Group', location: headers.location, version: headers.etag }),
      },
    ]);
    expect((await filtered('displayName eq "New"')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: body.id }],
    });
    const again = await ask('POST', '/Groups', { displayName: 'New', members: [] });
    expect([again.status, again.body]).toEqual([409, error(409, 'uniqueness')]);
  });

  test('changes members by PATCH, with the name and the id', async () => {
    const [one = '', two = '', three = ''] = await newUsers(3);
    const id = await newGroup([one, three]);
    const { status, body } = await patch(
      id,
      { op: 'replace', value: { id, displayName: `Renamed ${id}` } },
      { op: 'remove', path: `members[value eq "${one}"]` },
      { op: 'add', path: 'members', value: [{ value: two, display: two }] },
    );
    expect([status, body, await membersOf(id)]).toEqual([204, null, [two, three].sort()]);
    expect((await ask('GET', `/Groups/${id}`)).body.displayName).toBe(`Renamed ${id}`);
  });

  test('replaces all members, also by none', async () => {
    const [one = '', two = '', three = ''] = await newUsers(3);
    const id = await newGroup([one, two]);
    expect((await patch(id, { op: 'replace', path: 'members', value: [member(two), member(three)] })).status).toBe(204);
    expect(await membersOf(id)).toEqual([two, three].sort());
    expect((await patch(id, { op: 'replace', path: 'members', value: null })).status).toBe(204);
    expect(await membersOf(id)).toEqual([]);
  });

  test('replaces the name and all members by PUT', async () => {
    const [one = '', two = ''] = await newUsers(2);
    const id = await newGroup([one]);
    const { status, body } = await ask('PUT', `/Groups/${id}`, {
      id,
      displayName: `Put ${id}`,
      members: [member(two)],
    });
    expect([status, body.displayName, body.members.map(({ value }: { value: string }) => value)]).toEqual([
      200,
      `Put ${id}`,
      [two],
    ]);
  });

  test('deletes a group: 204, then 404', async () => {
    const id = await newGroup(await newUsers(1));
    const gone = await ask('DELETE', `/Groups/${id}`);
    expect([gone.status, gone.body]).toEqual([204, null]);
    expect((await ask('GET', `/Groups/${id}`)).body).toEqual(error(404));
    expect((await ask('DELETE', `/Groups/${id}`)).status).toBe(404);
  });
});

describe('Entra ID', () => {
  test('creates a group with a schema of its own and without members, and reads it without them', async () => {
    const schemas = [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'];
    const body = { schemas, displayName: 'AD', externalId: 'o1', meta: { resourceType: 'Group' } };
    const { status, body: group } = await ask('POST', '/Groups', body);
    expect([status, group.externalId]).toEqual([201, 'o1']);
    const { body: read } = await ask('GET', `/Groups/${group.id}?excludedAttributes=members`);
    expect([read.displayName, 'members' in read]).toEqual(['AD', false]);
    const { body: found } = await filtered('displayName eq "AD"', '&excludedAttributes=members');
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ id: group.id }] });
    expect('members' in found.Resources[0]).toBe(false);
  });

  test('adds and removes members by lists, and answers 204', async () => {
    const [one = '', two = '', three = ''] = await newUsers(3);
    const id = await newGroup([one, two]);
    const add = await patch(id, { op: 'Add', path: 'members', value: [{ $ref: null, value: three }] });
    const remove = await patch(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] });
    expect([add.status, remove.status, await membersOf(id)]).toEqual([204, 204, [two, three].sort()]);
  });

  test('asks whether a user is a member', async () => {
    const [one = '', two = ''] = await newUsers(2);
    const id = await newGroup([one]);
    const isMember = async (userId: string) =>
      (await filtered(`id eq "${id}" and members eq "${userId}"`, '&attributes=id')).body.totalResults;
    expect([await isMember(one), await isMember(two)]).toEqual([1, 0]);
  });

  test.each<[string, (id: string) => object, string]>([
    ['malformed members', () => ({ op: 'Remove', path: 'members', value: [{ $ref: null }] }), 'invalidValue'],
    ['null', () => ({ op: 'Remove', path: 'members', value: null }), 'invalidValue'],
    ['another condition', () => ({ op: 'remove', path: 'members[type eq "User"]' }), 'invalidPath'],
    ['a nested group', (id) => ({ op: 'Add', path: 'members', value: [{ value: id, type: 'Group' }] }), 'invalidValue'],
    ['a prototype', () => ({ op: 'add', path: 'constructor.prototype.x[a', value: 1 }), 'invalidPath'],
  ])('refuses %s, and changes nothing', async (_, operation, scimType) => {
    const users = await newUsers(1);
    const id = await newGroup(users);
    const before = await itemsBut(service);
    const { status, body } = await patch(id, { op: 'replace', path: 'displayName', value: 'Other' }, operation(id));
    expect([status, body]).toEqual([400, error(400, scimType)]);
    expect(await itemsBut(service)).toEqual(before);
  });
});

describe('the roles of a group', () => {
  test('are those of its members, and go with them; what a person gave stays', async () => {
    const [one = '', two = '', three = ''] = await newUsers(3);
    await grantRole(three, appId, 'editor');
    const id = await newGroup([one, three], 'Editors');
    expect([await rolesOf(one), await rolesOf(two), await rolesOf(three)]).toEqual([['editor'], [], ['editor']]);
    await patch(
      id,
      { op: 'Remove', path: 'members', value: [member(one), member(three)] },
      { op: 'Add', path: 'members', value: [member(two)] },
    );
    expect([await rolesOf(one), await rolesOf(two), await rolesOf(three)]).toEqual([[], ['editor'], ['editor']]);
    const { body } = await ask('GET', `/Users/${two}`);
    expect(body.groups).toEqual([
      expect.objectContaining({
        value: id,
        display: 'Editors',
        type: 'direct',
        $ref: expect.stringContaining(`/Groups/${id}`),
      }),
    ]);
    expect((await ask('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect(await rolesOf(two)).toEqual([]);
  });
});

test('a user who is deleted leaves the groups, and loses the roles that they gave', async () => {
  const [one = '', two = ''] = await newUsers(2);
  const { body: found } = await filtered('displayName eq "Editors"');
  const id = found.Resources[0]?.id ?? (await newGroup([], 'Editors'));
  await patch(id, { op: 'add', path: 'members', value: [member(one), member(two)] });
  expect([await rolesOf(one), await rolesOf(two)]).toEqual([['editor'], ['editor']]);
  expect((await ask('DELETE', `/Users/${one}`)).status).toBe(204);
  expect([await rolesOf(one), await rolesOf(two)]).toEqual([[], ['editor']]);
  expect(await membersOf(id)).toEqual([two]);
  await patch(id, { op: 'remove', path: 'members' });
  expect([await rolesOf(two), await membersOf(id)]).toEqual([[], []]);
});

describe('a user whose deletion did not get to the end', () => {
  let others: readonly string[];
  let left: string;
  let id: string;
  beforeEach(async () => {
    const [one = '', ...rest] = await newUsers(2);
    [left, others] = [one, rest];
    const { body: found } = await filtered('displayName eq "Editors"');
    id = found.Resources[0]?.id ?? (await newGroup([], 'Editors'));
    await ask('PUT', `/Groups/${id}`, { displayName: 'Editors', members: [left, ...others].map(member) });
    const timeout = Object.assign(new Error('injected'), { name: 'TimeoutError' });
    let transactions = 0;
    sdk.fault = async ({ command }, send) => {
      if (command === 'TransactWriteItemsCommand' && ++transactions > 1) throw timeout;
      return send();
    };
    expect((await ask('DELETE', `/Users/${left}`)).status).toBe(503);
    sdk.fault = undefined;
    expect([(await ask('GET', `/Users/${left}`)).status, await rolesOf(left)]).toEqual([404, ['editor']]);
  });

  test('is no longer listed as a member, in a group, in the list of groups, and by a filter', async () => {
    const { body: list } = await ask('GET', '/Groups');
    const listed = list.Resources.find((group: { id: string }) => group.id === id);
    expect([await membersOf(id), listed.members.map(({ value }: { value: string }) => value)]).toEqual([
      others,
      others,
    ]);
    expect((await filtered(`members.value eq "${left}"`)).body.totalResults).toBe(0);
  });

  test.each<[string, () => Promise<{ readonly status: number }>]>([
    [
      'a PUT with the members that the directory has read',
      async () => ask('PUT', `/Groups/${id}`, { displayName: 'Editors', members: (await membersOf(id)).map(member) }),
    ],
    ['a PATCH that removes the member', () => patch(id, { op: 'remove', path: 'members', value: [member(left)] })],
    ['another DELETE', () => ask('DELETE', `/Users/${left}`)],
    ['the deletion of the group', () => ask('DELETE', `/Groups/${id}`)],
  ])('loses the roles of the groups by %s', async (_, request) => {
    expect([200, 204]).toContain((await request()).status);
    expect(await rolesOf(left)).toEqual([]);
    expect((await ask('DELETE', `/Users/${left}`)).status).toBe(404);
  });

  test('is a member again only once the directory has created and added the user again', async () => {
    expect((await ask('POST', '/Users', { userName: left, externalId: left })).status).toBe(200);
    expect([await membersOf(id), await rolesOf(left)]).toEqual([others, []]);
    await patch(id, { op: 'add', path: 'members', value: [member(left)] });
    expect([await membersOf(id), await rolesOf(left)]).toEqual([[left, ...others].sort(), ['editor']]);
  });
});

test('a user who is not of the directory cannot be a member', async () => {
  const id = await newGroup();
  for (const userId of ['ada', 'nobody']) {
    const { status, body } = await patch(id, { op: 'add', path: 'members', value: [member(userId)] });
    expect([status, body]).toEqual([400, error(400, 'invalidValue')]);
  }
});

test("another directory's user cannot be a member, and one who was removed cannot either", async () => {
  const other = await connectDirectory(service);
  const [theirs, removed] = [`member-${++created}@x.io`, (await newUsers(1))[0] ?? ''];
  expect((await other.ask('POST', '/Users', { userName: theirs })).status).toBe(201);
  expect((await ask('DELETE', `/Users/${removed}`)).status).toBe(204);
  const { body: found } = await filtered('displayName eq "Editors"');
  const id = found.Resources[0]?.id ?? (await newGroup([], 'Editors'));
  const before = await itemsBut(service);
  for (const value of [theirs, removed]) {
    const { status, body } = await patch(id, { op: 'add', path: 'members', value: [member(value)] });
    expect([status, body]).toEqual([400, error(400, 'invalidValue')]);
    expect(body.detail).toContain(value);
  }
  expect(await itemsBut(service)).toEqual(before);
  expect(await rolesOf(theirs)).toEqual([]);
});

test('a change of one member does not read the others', async () => {
  const users = await newUsers(12);
  const id = await newGroup(users.slice(0, 11));
  await patch(id, { op: 'add', path: 'members', value: [member(users[11] ?? '')] });
  const read = sdk.requests.flatMap(({ input }) => JSON.stringify(input));
  expect(users.slice(0, 11).filter((userId) => read.some((each) => each.includes(userId)))).toEqual([]);
});

test('members are not read for a client that excludes them', async () => {
  const id = await newGroup(await newUsers(2));
  await ask('GET', `/Groups/${id}?excludedAttributes=members`);
  expect(asked().map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
});

test('a key needs the scope roles:write', async () => {
  const ofUsers = await connectDirectory(service, {}, { scopes: ['users:write'] });
  for (const [method, path] of [
    ['GET', '/Groups'],
    ['POST', '/Groups'],
  ] as const) {
    const { status, body } = await ofUsers.ask(method, path, method === 'GET' ? undefined : { displayName: 'G' });
    expect([status, body]).toEqual([403, error(403)]);
  }
});

test('a filter that is not supported is refused with a read of the connection alone', async () => {
  for (const filter of ['displayName sw "G"', 'userName eq "a"', 'members[value eq "u"].type eq "User"']) {
    sdk.requests.length = 0;
    const { status, body } = await filtered(filter);
    expect([status, body]).toEqual([400, error(400, 'invalidFilter')]);
    expect(asked().map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  }
});
