import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newConnection } from '#options/connections/test/support/new-connection.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { describeService } from '#test/support/describe-service.ts';
import { operator } from '#test/support/start-service.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';
import { askScim, type ConnectedDirectory, connectDirectory, isActivity, itemsBut } from '../support/ask-scim.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };
const service = describeService();
let sdk: WatchedSdk;
let directory: ConnectedDirectory;
let ask: ConnectedDirectory['ask'];
beforeAll(async () => {
  sdk = await watchServiceTable();
  directory = await connectDirectory(service);
  ({ ask } = directory);
  await recordKeyUse(sdk, () => ask('GET', '/Users?count=0'));
});
beforeEach(() => {
  sdk.requests.length = 0;
});

/** The requests to the table but for the record of requests. */
const asked = () => sdk.requests.filter((request) => !isActivity(request));

let created = 0;
const freshName = () => `person-${++created}@x.io`;
const filtered = (filter: string, more = '') => ask('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`);
const patch = (id: string, Operations: readonly object[]) => ask('PATCH', `/Users/${id}`, { ...patchOp, Operations });
const error = (status: number, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
  detail: expect.any(String),
});

/** The body with which Okta creates a user. */
const oktaUser = (userName: string, externalId = `okta-${userName}`) => ({
  schemas: [userSchema],
  userName,
  name: { givenName: 'A', familyName: 'B' },
  emails: [{ primary: true, value: userName.includes('@') ? userName : `${userName}@example.com`, type: 'work' }],
  displayName: 'A B',
  locale: 'en-US',
  externalId,
  groups: [],
  password: '1mz050nq',
  active: true,
});
/** The body with which Entra ID creates a user. */
const entraUser = (userName: string) => ({
  schemas: [userSchema, enterprise],
  externalId: `entra-${userName}`,
  userName,
  active: true,
  displayName: 'A B',
  title: null,
  roles: [],
  emails: [{ primary: true, type: 'work', value: userName }],
  meta: { resourceType: 'User' },
  name: { formatted: 'A B', familyName: 'B', givenName: 'A' },
  [enterprise]: { employeeNumber: '1', department: null },
});

async function create(body: object = oktaUser(freshName())): Promise<string> {
  const { status, body: user } = await ask('POST', '/Users', body);
  expect([status, user.id]).toEqual([201, expect.any(String)]);
  sdk.requests.length = 0;
  return user.id;
}

/** The global status that applications obey. */
async function statusOf(userId: string): Promise<string> {
  const { getUser } = await import('#shared/domain/user/users.ts');
  return (await getUser({ userId: userId as UserId })).status;
}

test.each([
  ['userName', { userName: 'x'.repeat(257) }],
  ['externalId', { externalId: 'x'.repeat(257) }],
  ['externalId', { externalId: '' }],
  ['emails', { emails: Array.from({ length: 21 }, (_, n) => ({ value: `${n}@x.io` })) }],
  ['8 KB', { title: 'x'.repeat(8 * 1024) }],
])('a user with too much, or nothing, as %s is refused, and nothing is written', async (words, wrong) => {
  const before = await itemsBut(service);
  const { status, body } = await ask('POST', '/Users', { ...oktaUser(freshName()), ...wrong });
  expect([status, body]).toEqual([400, error(400, 'invalidValue')]);
  expect(body.detail).toContain(words);
  expect(await itemsBut(service)).toEqual(before);
});

describe('Okta', () => {
  test('its test of the connection gets a list', async () => {
    const { status, headers, body } = await ask('GET', '/Users?startIndex=1&count=2');
    expect([status, headers['content-type']]).toEqual([200, 'application/scim+json']);
    expect(body).toMatchObject({
      totalResults: expect.any(Number),
      startIndex: 1,
      itemsPerPage: body.Resources.length,
    });
  });

  test('looks a user up who does not exist: an empty list', async () => {
    const { status, body } = await filtered('userName eq "nobody@x.io"', '&startIndex=1&count=100');
    expect([status, body]).toEqual([
      200,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      },
    ]);
  });

  test('creates a user: 201 with the address and all that was sent but the password', async () => {
    const userName = freshName();
    const { status, headers, body } = await ask('POST', '/Users', oktaUser(userName));
    const { password: _, ...sent } = oktaUser(userName);
    expect([status, body]).toEqual([
      201,
      { ...sent, id: userName, meta: expect.objectContaining({ resourceType: 'User', version: headers.etag }) },
    ]);
    expect(headers.location).toBe(`https://${new URL(service.url).host}/scim/v2/Users/${encodeURIComponent(userName)}`);
    expect(body.meta.location).toBe(headers.location);
    expect(asked()).toHaveLength(2);
    expect(JSON.stringify([...(await service.items({ feeds: true }))])).not.toContain('1mz050nq');
  });

  test('accepts application/json too', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await ask('POST', '/Users', oktaUser(freshName()), headers)).status).toBe(201);
  });

  test('finds a user in any case of the name, with id and attributes', async () => {
    const id = await create();
    const { body } = await filtered(`userName eq "${id.toUpperCase()}"`, '&startIndex=1&count=100');
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ id, userName: id, name: { givenName: 'A' } }] });
  });

  test('a duplicate is refused with 409, also in another case', async () => {
    const id = await create();
    for (const userName of [id, id.toUpperCase()]) {
      const { status, body } = await ask('POST', '/Users', oktaUser(userName, 'another'));
      expect([status, body]).toEqual([409, error(409, 'uniqueness')]);
      expect(body.detail).toContain('userName');
    }
  });

  test('reads a user, and puts the whole answer back, edited', async () => {
    const id = await create();
    const { body: user, headers } = await ask('GET', `/Users/${id}`);
    expect([user.id, headers.etag]).toEqual([id, user.meta.version]);
    sdk.requests.length = 0;
    const edited = { ...user, displayName: 'Edited', name: { ...user.name, givenName: 'Z' } };
    const { status, body } = await ask('PUT', `/Users/${id}`, edited);
    expect([status, body]).toEqual([200, { ...edited, meta: expect.anything() }]);
    expect(asked()).toHaveLength(2);
    const again = await ask('PUT', `/Users/${id}`, body);
    expect([again.body, again.headers.etag]).toEqual([body, body.meta.version]);
  });

  test('deactivates and activates by PUT', async () => {
    const id = await create();
    const { body: user } = await ask('GET', `/Users/${id}`);
    expect((await ask('PUT', `/Users/${id}`, { ...user, active: false })).body.active).toBe(false);
    expect(await statusOf(id)).toBe('inactive');
    expect((await ask('PUT', `/Users/${id}`, { ...user, active: true })).body.active).toBe(true);
    expect(await statusOf(id)).toBe('active');
  });

  test('deactivates and activates by PATCH, with two requests to the table', async () => {
    const id = await create();
    for (const active of [false, true]) {
      sdk.requests.length = 0;
      const { status, body } = await patch(id, [{ op: 'replace', value: { active } }]);
      expect([status, body.active, await statusOf(id)]).toEqual([200, active, active ? 'active' : 'inactive']);
    }
    sdk.requests.length = 0;
    await patch(id, [{ op: 'replace', value: { active: false } }]);
    expect(asked().map(({ command }) => command)).toEqual(['BatchGetItemCommand', 'TransactWriteItemsCommand']);
  });

  test('imports all users page by page, in a stable order', async () => {
    const other = await connectDirectory(service);
    const names = Array.from({ length: 5 }, (_, n) => `page-${n}@x.io`);
    for (const name of names) await other.ask('POST', '/Users', oktaUser(name));
    const page = async (startIndex: number) =>
      (await other.ask('GET', `/Users?startIndex=${startIndex}&count=2`)).body as {
        totalResults: number;
        itemsPerPage: number;
        Resources: { id: string }[];
      };
    const pages = [await page(1), await page(3), await page(5), await page(7)];
    expect(pages.map(({ totalResults, itemsPerPage }) => [totalResults, itemsPerPage])).toEqual([
      [5, 2],
      [5, 2],
      [5, 1],
      [5, 0],
    ]);
    expect(pages.flatMap(({ Resources }) => Resources.map(({ id }) => id))).toEqual(names);
    expect((await page(-1)).Resources).toHaveLength(2);
    const none = await other.ask('GET', '/Users?count=0');
    expect(none.body).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
  });

  test('a leaver who returns is created again: 200, active, with the same id', async () => {
    const id = await create();
    await patch(id, [{ op: 'replace', value: { active: false } }]);
    const { status, headers, body } = await ask('POST', '/Users', oktaUser(id));
    expect([status, body.id, body.active, headers.location]).toEqual([200, id, true, undefined]);
    expect(await statusOf(id)).toBe('active');
    expect((await ask('POST', '/Users', oktaUser(id))).status).toBe(409);
  });
});

describe('Entra ID', () => {
  test('its test of the connection finds nobody', async () => {
    const { status, body } = await filtered('externalId eq "5b0b1a3c-0000-4000-8000-000000000000"');
    expect([status, body.totalResults]).toEqual([200, 0]);
  });

  test('creates a user with null for what is absent, and with the enterprise schema', async () => {
    const userName = freshName();
    const { status, body } = await ask('POST', '/Users', entraUser(userName));
    expect([status, body]).toMatchObject([
      201,
      { schemas: [userSchema, enterprise], [enterprise]: { employeeNumber: '1' } },
    ]);
    expect(body).not.toHaveProperty('title');
    expect(body).not.toHaveProperty('roles');
  });

  test.each<[string, (name: string) => string]>([
    ['userName', (name) => `userName eq "${name}"`],
    ['externalId', (name) => `externalId eq "entra-${name}"`],
    ['the work address', (name) => `emails[type eq "work"].value eq "${name}"`],
    ['two of them', (name) => `userName eq "${name}" and externalId eq "entra-${name}"`],
  ])('finds a user by %s, also an inactive one', async (_, filter) => {
    const id = await create(entraUser(freshName()));
    await patch(id, [{ op: 'Replace', path: 'active', value: 'False' }]);
    const { body } = await filtered(filter(id));
    expect(body).toMatchObject({ totalResults: 1, itemsPerPage: 1, Resources: [{ id, active: false }] });
  });

  test('does not find a user by an address for another purpose', async () => {
    const id = await create(entraUser(freshName()));
    expect((await filtered(`emails[type eq "home"].value eq "${id}"`)).body.totalResults).toBe(0);
  });

  test('asks whether somebody is the manager', async () => {
    const id = await create(entraUser(freshName()));
    await patch(id, [{ op: 'Add', path: 'manager', value: [{ $ref: 'https://s/Users/m', value: 'm' }] }]);
    const manager = (value: string) => filtered(`id eq "${id}" and manager eq "${value}"`, '&attributes=id');
    expect((await manager('m')).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect((await manager('n')).body.totalResults).toBe(0);
  });

  test.each<[string, object, object]>([
    ['active', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['a simple attribute', { op: 'Add', path: 'nickName', value: 'B' }, { nickName: 'B' }],
    [
      'the work address',
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@x.io' },
      { emails: [{ primary: true, type: 'work', value: 'b@x.io' }] },
    ],
    [
      'an address that is absent',
      { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'CH' },
      { addresses: [{ type: 'work', country: 'CH' }] },
    ],
    ['a part of the name', { op: 'Replace', path: 'name.familyName', value: 'K' }, { name: { familyName: 'K' } }],
    [
      'an enterprise attribute',
      { op: 'Replace', path: `${enterprise}:employeeNumber`, value: '7' },
      { [enterprise]: { employeeNumber: '7' } },
    ],
    [
      'the manager',
      { op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: 'https://s/Users/m', value: 'm' }] },
      { [enterprise]: { manager: { value: 'm', $ref: 'https://s/Users/m' } } },
    ],
    [
      'several without a path, by dotted keys',
      { op: 'replace', value: { 'name.givenName': 'Z', displayName: 'Z', [`${enterprise}:department`]: 'X' } },
      { name: { givenName: 'Z' }, displayName: 'Z', [enterprise]: { department: 'X' } },
    ],
    ['what is not declared', { op: 'Add', path: 'urn:example:User:badge', value: '1' }, { active: true }],
    ['empty roles', { op: 'Replace', path: 'roles', value: [] }, { active: true }],
  ])('changes %s', async (_, operation, expected) => {
    const id = await create(entraUser(freshName()));
    const { status, body } = await patch(id, [operation]);
    expect([status, body]).toMatchObject([200, expected]);
    expect((await ask('GET', `/Users/${id}`)).body).toEqual(body);
  });

  test('repeats a reactivation', async () => {
    const id = await create(entraUser(freshName()));
    const reactivate = () => patch(id, [{ op: 'Replace', path: 'active', value: 'True' }]);
    const { body: once } = await reactivate();
    const { status, body } = await reactivate();
    expect([status, body]).toEqual([200, once]);
  });

  test('deletes softly: inactive, with the login name; then for good: 404, also in lists', async () => {
    const id = await create(entraUser(freshName()));
    const tombstone = `0123456789abcdef0123456789abcdef${id}`;
    const { body } = await patch(id, [
      { op: 'Replace', path: 'userName', value: tombstone },
      { op: 'Replace', path: 'active', value: 'False' },
    ]);
    expect([body.userName, body.active]).toEqual([id, false]);
    const gone = await ask('DELETE', `/Users/${id}`);
    expect([gone.status, gone.body]).toEqual([204, null]);
    expect(await statusOf(id)).toBe('inactive');
    expect((await ask('GET', `/Users/${id}`)).body).toEqual(error(404));
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(404);
    expect((await patch(id, [{ op: 'Replace', path: 'active', value: 'True' }])).status).toBe(404);
    expect((await filtered(`userName eq "${id}"`)).body.totalResults).toBe(0);
    expect((await ask('POST', '/Users', entraUser(id))).body).toMatchObject({ id, active: true });
  });

  test('a tenant URL with a flag in its query is no problem', async () => {
    expect((await ask('GET', '/Users?aadOptscim062020&count=1')).status).toBe(200);
  });
});

test('Google looks a user up without a count', async () => {
  const id = await create();
  const { body } = await filtered(`userName eq "${id}"`, '&startIndex=1');
  expect(body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
});

describe('what is refused changes nothing', () => {
  test.each<[string, object[], number, string]>([
    ['a boolean that is neither', [{ op: 'replace', path: 'active', value: 'no' }], 400, 'invalidValue'],
    ['roles', [{ op: 'add', path: 'roles[primary eq "True"].value', value: 'admin' }], 400, 'invalidValue'],
    ['groups', [{ op: 'add', path: 'groups', value: [{ value: 'g' }] }], 400, 'mutability'],
    ['a removal without a path', [{ op: 'remove' }], 400, 'noTarget'],
    ['a prototype', [{ op: 'add', path: '__proto__.active', value: false }], 400, 'invalidPath'],
    [
      'a second operation that is wrong',
      [
        { op: 'replace', path: 'active', value: false },
        { op: 'replace', path: 'active', value: 'x' },
      ],
      400,
      'invalidValue',
    ],
    ['attributes of more than 8 KB', [{ op: 'replace', path: 'title', value: 'x'.repeat(8200) }], 400, 'invalidValue'],
    ['the name of another user', [{ op: 'replace', path: 'userName', value: 'TAKEN@x.io' }], 409, 'uniqueness'],
  ])('%s', async (_, operations, expected, scimType) => {
    await ask('POST', '/Users', oktaUser('taken@x.io'));
    const id = await create();
    const before = await itemsBut(service);
    const { status, body } = await patch(id, operations);
    expect([status, body]).toEqual([expected, error(expected, scimType)]);
    expect(await itemsBut(service)).toEqual(before);
  });

  test.each<[string, object | string, string]>([
    ['no JSON', '{', 'invalidSyntax'],
    ['a list', '[]', 'invalidSyntax'],
    ['nothing', '', 'invalidValue'],
    ['no userName', { schemas: [userSchema] }, 'invalidValue'],
    ['a userName that cannot be a userId', oktaUser('a person'), 'invalidValue'],
    ['roles', { ...oktaUser('roles@x.io'), roles: [{ value: 'admin' }] }, 'invalidValue'],
  ])('a POST with %s', async (_, body, scimType) => {
    const before = await itemsBut(service);
    const answer = await ask('POST', '/Users', body);
    expect([answer.status, answer.body]).toEqual([400, error(400, scimType)]);
    expect(await itemsBut(service)).toEqual(before);
  });

  test.each([
    ['userName co "a"'],
    ['meta.lastModified gt "2026-01-01T00:00:00Z"'],
    ['active eq true'],
    ['userName eq "a" or userName eq "b"'],
    ['userName eq'],
  ])('the filter %s, with a read of the connection alone', async (filter) => {
    const { status, body } = await filtered(filter);
    expect([status, body]).toEqual([400, error(400, 'invalidFilter')]);
    expect(asked().map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  test('a body of another type, or one that is too large', async () => {
    const plain = await ask('POST', '/Users', 'userName=a', { 'content-type': 'text/plain' });
    expect([plain.status, plain.body]).toEqual([415, error(415)]);
    // As Okta sends back a user of many groups.
    const groups = Array.from({ length: 1000 }, (_, n) => ({ value: `group-${n}`, display: 'A group' }));
    expect((await ask('PUT', `/Users/${await create()}`, { ...oktaUser(freshName()), groups })).status).toBe(200);
    sdk.requests.length = 0;
    const large = await ask('POST', '/Users', { ...oktaUser('large@x.io'), nickName: 'x'.repeat(1024 * 1024) });
    expect([large.status, large.body, asked()]).toEqual([413, error(413), []]);
  });

  test('a change of another version than the expected one', async () => {
    const id = await create();
    const { headers } = await ask('GET', `/Users/${id}`);
    const body = { ...patchOp, Operations: [{ op: 'replace', path: 'title', value: 'x' }] };
    const first = await ask('PATCH', `/Users/${id}`, body, { 'if-match': headers.etag ?? '' });
    const again = { ...patchOp, Operations: [{ op: 'replace', path: 'title', value: 'y' }] };
    const second = await ask('PATCH', `/Users/${id}`, again, { 'if-match': headers.etag ?? '' });
    expect([first.status, second.status, second.body]).toEqual([200, 412, error(412)]);
    expect((await ask('DELETE', `/Users/${id}`, undefined, { 'if-match': '"0"' })).status).toBe(412);
  });

  test('a method that a path does not have', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/Users', 'GET, POST'],
      ['POST', '/Users/ada', 'GET, PUT, PATCH, DELETE'],
      ['OPTIONS', '/Users', 'GET, POST'],
    ] as const) {
      const { status, headers, body } = await ask(method, path);
      expect([status, headers.allow, body]).toEqual([405, allow, error(405)]);
    }
  });
});

describe('who may ask', () => {
  test('a missing or forged token is 401 in SCIM, without any request to the table', async () => {
    const { token } = directory;
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`;
    for (const each of [undefined, forged, 'x']) {
      for (const [method, path] of [
        ['GET', '/Users'],
        ['POST', '/Users'],
        ['PATCH', '/Users/ada'],
      ] as const) {
        const { status, headers, body } = await askScim(service, each, method, path, method === 'GET' ? undefined : {});
        expect([status, body]).toEqual([401, error(401)]);
        expect([headers['www-authenticate'], headers['content-type']]).toEqual(['Bearer', 'application/scim+json']);
      }
    }
    expect(sdk.requests).toEqual([]);
  });

  test('a key needs the scope, and a connection the kind', async () => {
    const ofGroups = await connectDirectory(service, {}, { scopes: ['roles:write'] });
    const { token } = await newConnection(['billing']);
    const before = await itemsBut(service);
    const refused = [
      await ofGroups.ask('POST', '/Users', oktaUser('scope@x.io')),
      await askScim(service, token, 'POST', '/Users', oktaUser('kind@x.io')),
      await askScim(service, token, 'GET', '/Users'),
    ];
    for (const { status, body } of refused) expect([status, body]).toEqual([403, error(403)]);
    expect(await itemsBut(service)).toEqual(before);
  });

  test('a revoked key is refused', async () => {
    const revoked = await connectDirectory(service);
    const { revokeConnectionKey } = await import('#options/connections/server/connection-keys.ts');
    const { getConnection } = await import('#options/connections/server/connections.ts');
    for (const { keyId } of (await getConnection(revoked)).keys) {
      await revokeConnectionKey({ connectionId: revoked.connectionId, keyId }, operator);
    }
    const before = await service.items({ feeds: true });
    const { status, body } = await revoked.ask('POST', '/Users', oktaUser('revoked@x.io'));
    expect([status, body]).toEqual([401, error(401)]);
    expect(await service.items({ feeds: true })).toEqual(before);
  });

  test('a connection sees and changes only its own users', async () => {
    const id = await create();
    const other = await connectDirectory(service);
    for (const userId of [id, 'ada']) {
      const before = await itemsBut(service);
      const answers = [
        await other.ask('GET', `/Users/${userId}`),
        await other.ask('PUT', `/Users/${userId}`, oktaUser(userId)),
        await other.ask('PATCH', `/Users/${userId}`, {
          ...patchOp,
          Operations: [{ op: 'replace', path: 'active', value: false }],
        }),
        await other.ask('DELETE', `/Users/${userId}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      const filter = encodeURIComponent(`id eq "${userId}"`);
      expect((await other.ask('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
      expect((await other.ask('POST', '/Users', oktaUser(userId))).status).toBe(409);
      expect(await itemsBut(service)).toEqual(before);
    }
  });
});

describe('what a client wants of a resource', () => {
  test('only some attributes, in every answer', async () => {
    const userName = freshName();
    const selected = { schemas: [userSchema], id: userName, userName };
    const path = `/Users/${userName}?attributes=USERNAME`;
    expect((await ask('POST', '/Users?attributes=userName', oktaUser(userName))).body).toEqual(selected);
    expect((await ask('GET', path)).body).toEqual(selected);
    expect((await ask('PUT', path, oktaUser(userName))).body).toEqual(selected);
    const Operations = [{ op: 'replace', path: 'title', value: 'x' }];
    expect((await ask('PATCH', path, { ...patchOp, Operations })).body).toEqual(selected);
    const list = await filtered(`userName eq "${userName}"`, '&attributes=userName');
    expect(list.body).toMatchObject({ totalResults: 1, Resources: [selected] });
    expect(Object.keys(list.body.Resources[0])).toEqual(['schemas', 'id', 'userName']);
  });

  test('all but some attributes', async () => {
    const id = await create();
    const { body } = await ask('GET', `/Users/${id}?excludedAttributes=name,emails.value,id`);
    expect(body).toMatchObject({ id, emails: [{ type: 'work', primary: true }] });
    expect(body).not.toHaveProperty('name');
  });
});

test('a change records the connection and the address, and no other data of the request', async () => {
  const id = await create();
  await patch(id, [{ op: 'replace', value: { active: false } }]);
  const { body } = await ask('GET', `/Users/${id}`);
  expect(body.active).toBe(false);
  const changes = [...(await service.items())].filter(([key]) => key.startsWith(`USER#${id} CHANGE#`));
  expect(changes.length).toBeGreaterThan(0);
  for (const [, change] of changes) {
    expect(change).toMatchObject({ caller: { kind: 'connection', connectionId: directory.connectionId } });
  }
});

test('operators see what was refused, without what a filter looks for', async () => {
  const { getConnectionActivity } = await import('#options/connections/server/record-activity.ts');
  const watched = await connectDirectory(service);
  await watched.ask('POST', '/Users', oktaUser(freshName()));
  const filter = encodeURIComponent('userName co "secret-person@x.io"');
  await watched.ask('GET', `/Users?filter=${filter}`);
  await watched.ask('PATCH', '/Users/nobody', {
    Operations: [{ op: 'add', path: 'emails[value eq "secret-person', value: 1 }],
  });
  await watched.ask('GET', '/Users/nobody');
  const { requests, refusals } = await getConnectionActivity(watched);
  expect(requests).toBeGreaterThan(0);
  expect(refusals.map(({ method, path, status, scimType }) => [method, path, status, scimType])).toEqual([
    ['GET', '/scim/v2/Users/nobody', 404, null],
    ['PATCH', '/scim/v2/Users/nobody', 400, 'invalidPath'],
    ['GET', '/scim/v2/Users', 400, 'invalidFilter'],
  ]);
  expect(JSON.stringify(refusals)).not.toContain('secret-person');
});
