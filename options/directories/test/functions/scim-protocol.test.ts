import { beforeAll, describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { describeService } from '#test/support/describe-service.ts';
import { operator } from '#test/support/start-service.ts';
import { type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';
import { type ConnectedDirectory, connectDirectory, itemsBut } from '../support/ask-scim.ts';

const service = describeService();
let sdk: WatchedSdk;
let ask: ConnectedDirectory['ask'];
beforeAll(async () => {
  sdk = await watchServiceTable();
  ({ ask } = await connectDirectory(service));
});

let created = 0;
async function newUser(userName = `protocol-${++created}`): Promise<string> {
  const { status } = await ask('POST', '/Users', { userName, externalId: `external-${++created}` });
  expect(status).toBe(201);
  return userName;
}
async function newGroup(members: readonly string[]): Promise<{ readonly id: string; readonly displayName: string }> {
  const displayName = `Protocol ${++created}`;
  const { body } = await ask('POST', '/Groups', { displayName, members: members.map((value) => ({ value })) });
  return { id: body.id, displayName };
}
const add = (value: string) => ({ Operations: [{ op: 'add', path: 'members', value: [{ value }] }] });

describe('a PATCH of a group', () => {
  test('that selects attributes is answered 200 with them, and any other 204 without a body', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const { id, displayName } = await newGroup([one]);
    const selected = await ask('PATCH', `/Groups/${id}?attributes=displayName,members.value`, add(two));
    const members = [one, two].sort().map((value) => ({ value }));
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    expect([selected.status, selected.body]).toEqual([200, { schemas, id, displayName, members }]);
    expect(selected.headers.etag).toBe((await ask('GET', `/Groups/${id}?attributes=id`)).headers.etag);
    const { status, body } = await ask('PATCH', `/Groups/${id}`, add(two));
    expect([status, body]).toEqual([204, null]);
  });

  test.each([
    'memebers',
    'memebers[value eq "ada"]',
    'urn:ietf:params:scim:schemas:core:2.0:Group:memebers',
    'nickName',
  ])('with the unknown path %s is refused as invalidPath, and changes nothing', async (path) => {
    const { id } = await newGroup([await newUser()]);
    const before = await itemsBut(service);
    for (const operation of [
      { op: 'add', path, value: [{ value: 'ada' }] },
      { op: 'remove', path },
    ]) {
      const { status, body } = await ask('PATCH', `/Groups/${id}`, { Operations: [operation] });
      expect([status, body.scimType]).toEqual([400, 'invalidPath']);
    }
    expect(await itemsBut(service)).toEqual(before);
  });
});

test.each(['\0', 'Editors\0', '\ud800'])('the name %j of a group is refused as invalidValue', async (displayName) => {
  const { id } = await newGroup([]);
  const before = await itemsBut(service);
  for (const answer of [
    await ask('POST', '/Groups', { displayName }),
    await ask('PUT', `/Groups/${id}`, { displayName }),
    await ask('PATCH', `/Groups/${id}`, { Operations: [{ op: 'replace', path: 'displayName', value: displayName }] }),
    await ask('PATCH', `/Groups/${id}`, { Operations: [{ op: 'replace', path: 'externalId', value: displayName }] }),
  ]) {
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
  }
  expect(await itemsBut(service)).toEqual(before);
});

test.each(['/Users', '/Groups'])('an empty filter of %s is no filter', async (path) => {
  const { body: all } = await ask('GET', `${path}?count=1`);
  for (const filter of ['', '%20']) {
    const { status, body } = await ask('GET', `${path}?filter=${filter}&count=1`);
    expect([status, body]).toEqual([200, all]);
  }
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
  expect((await ask('POST', `${path}/.search`, { schemas, filter: '', count: 1 })).body).toEqual(all);
  expect((await ask('POST', '/.search', { schemas, filter: '', count: 1 })).status).toBe(200);
});

describe('a user who cannot be created because', () => {
  const conflict = async (body: object) => {
    const answer = await ask('POST', '/Users', body);
    expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness']);
    return String(answer.body.detail);
  };

  test('a user who was renamed has the id is told so, and not that the userName is taken', async () => {
    const id = await newUser();
    await ask('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'userName', value: `${id}-renamed` }] });
    const filter = encodeURIComponent(`userName eq "${id}"`);
    expect((await ask('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    const detail = await conflict({ userName: id, externalId: 'newcomer' });
    expect(detail).toContain('another user of the directory has this id');
    expect(detail).toContain('--user-id externalId');
  });

  test('the userName is taken is told so', async () => {
    const id = await newUser();
    expect(await conflict({ userName: id.toUpperCase() })).toBe('Another user of the directory has this userName.');
  });

  test('the externalId is taken is told so', async () => {
    const [externalId, userName] = [`taken-${++created}`, `protocol-${++created}`];
    await ask('POST', '/Users', { userName, externalId });
    const detail = await conflict({ userName: `protocol-${++created}`, externalId });
    expect(detail).toBe('Another user of the directory has this externalId.');
  });
});

test('an operator sees the directory that owns a user, also after it deleted the user, with one read', async () => {
  const { getUser } = await import('#shared/domain/user/users.ts');
  const { createUser } = await import('#shared/domain/user/users.ts');
  const directory = await connectDirectory(service);
  const userId = `owned-${++created}` as UserId;
  await directory.ask('POST', '/Users', { userName: userId });
  sdk.requests.length = 0;
  expect(await getUser({ userId })).toMatchObject({ userId, directory: directory.connectionId });
  expect(sdk.requests).toHaveLength(1);
  expect((await directory.ask('DELETE', `/Users/${userId}`)).status).toBe(204);
  expect(await getUser({ userId })).toMatchObject({ directory: directory.connectionId });
  const own = `own-${++created}` as UserId;
  await createUser({ userId: own }, operator);
  expect(await getUser({ userId: own })).toMatchObject({ directory: null });
});
