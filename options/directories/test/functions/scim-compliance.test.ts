import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeService } from '#test/support/describe-service.ts';
import type { Answer } from '#test/support/send-request.ts';
import { type ConnectedDirectory, connectDirectory } from '../support/ask-scim.ts';
import { isWritable, ScimTester, type TestedAttribute, valueIn } from '../support/scim-tester.ts';

/**
 * The checks of scim2-tester 0.5.2 (https://github.com/python-scim/scim2-tester), by their names there. It is a Python package, so
 * they are written again from its source; as there, everything sent is made up from what the service declares.
 */
const service = describeService();
let ask: ConnectedDirectory['ask'];
let tester: ScimTester;
beforeAll(async () => {
  const directory = await connectDirectory(service);
  ask = async (...request) => {
    const answer = await directory.ask(...request);
    if (answer.body !== null) expect(answer.headers['content-type']).toMatch(/^application\/scim\+json/);
    return answer;
  };
  tester = new ScimTester(ask);
});

const messages = 'urn:ietf:params:scim:api:messages:2.0';
const isError = (status: number) => ({ schemas: [`${messages}:Error`], status: String(status) });
const patch = (endpoint: string, id: string, operation: object) =>
  ask('PATCH', `${endpoint}/${id}`, { schemas: [`${messages}:PatchOp`], Operations: [operation] });

describe('discovery', () => {
  const discoveries = ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'];

  test('service_provider_config_endpoint', async () => {
    const { status, body } = await ask('GET', '/ServiceProviderConfig');
    expect([status, body.patch, body.filter.supported]).toEqual([200, { supported: true }, true]);
  });

  test.each(discoveries)('endpoint_methods of %s', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect([method, (await ask(method, path)).status]).toEqual([method, 405]);
    }
  });

  test.each(['/ResourceTypes', '/Schemas'])('query_all and by_id of %s', async (path) => {
    const { status, body } = await ask('GET', path);
    expect([status, body.schemas]).toEqual([200, [`${messages}:ListResponse`]]);
    expect(body.Resources.length).toBeGreaterThan(0);
    for (const each of body.Resources) expect((await ask('GET', `${path}/${each.id}`)).body).toEqual(each);
  });

  test('resource_types_schema_validation', async () => {
    const { body } = await ask('GET', '/ResourceTypes');
    for (const { schema } of body.Resources) expect((await ask('GET', `/Schemas/${schema}`)).body.id).toBe(schema);
  });

  test('core_schemas_validation', async () => {
    const { body } = await ask('GET', '/Schemas');
    const names = body.Resources.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['ResourceType', 'ServiceProviderConfig', 'Schema']));
  });

  test.each(['', '/ResourceTypes', '/Schemas', '/Users', '/Groups'])('access_invalid below "%s"', async (path) => {
    const { status, body } = await ask('GET', `${path}/${randomUUID()}`);
    expect([status, body]).toEqual([404, expect.objectContaining(isError(404))]);
  });
});

describe.each([
  ['User', '/Users'],
  ['Group', '/Groups'],
])('%s', (type, endpoint) => {
  /** A resource that was created, with all attributes or with those that are required. */
  async function created(options?: { all: boolean }) {
    const { status, headers, body } = await tester.create(type, options);
    expect([status, headers.location]).toEqual([201, body.meta.location]);
    expect(body.id).toEqual(expect.any(String));
    return body;
  }
  const read = async (id: string) => (await ask('GET', `${endpoint}/${id}`)).body;
  const attributes = async () => (await tester.attributesOf(type)).filter(({ attribute }) => isWritable(attribute));
  const optional = async () => (await attributes()).filter(({ attribute }) => !attribute.required);

  test('object_creation and object_query', async () => {
    const resource = await created({ all: true });
    expect(await read(resource.id)).toEqual(resource);
  });

  test('object_query_without_id', async () => {
    const { id } = await created();
    const { status, body } = await ask('GET', endpoint);
    expect([status, body.schemas]).toEqual([200, [`${messages}:ListResponse`]]);
    expect(idsOf(body)).toContain(id);
  });

  test('object_replacement', async () => {
    const { id } = await created({ all: true });
    const other = await created({ all: true });
    expect((await ask('DELETE', `${endpoint}/${other.id}`)).status).toBe(204);
    const { status, body } = await ask('PUT', `${endpoint}/${id}`, { ...other, id });
    expect(status).toBe(200);
    for (const { names } of await attributes()) expect(valueIn(body, names)).toEqual(valueIn(other, names));
  });

  test('object_deletion', async () => {
    const { id } = await created();
    expect((await ask('DELETE', `${endpoint}/${id}`)).status).toBe(204);
    expect(await read(id)).toMatchObject(isError(404));
  });

  describe('attributes and excludedAttributes', () => {
    type Query = (query: Readonly<Record<string, readonly string[]>>, id: string) => Promise<Answer>;
    const inUrl = (query: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(query).map(([name, values]) => `${name}=${values.join(',')}`);
    const search =
      (path: string): Query =>
      (query) =>
        ask('POST', `${path}/.search`, { schemas: [`${messages}:SearchRequest`], ...query });

    test.each<[string, Query]>([
      ['object_query_with_attributes', (query, id) => ask('GET', `${endpoint}/${id}?${inUrl(query)}`)],
      ['object_list_with_attributes', (query) => ask('GET', `${endpoint}?${inUrl(query)}`)],
      ['search_with_attributes', search('')],
      ['search_with_attributes below the endpoint', search(endpoint)],
    ])('%s', async (_, query) => {
      const { id } = await created({ all: true });
      const [included, excluded] = (await optional()).map(({ attribute }) => attribute.name);
      for (const [asked, isThere, isNot] of [
        [{ attributes: [`${included}`] }, included, excluded],
        [{ excludedAttributes: [`${excluded}`] }, included, excluded],
      ] as const) {
        const { status, body } = await query(asked, id);
        expect(status).toBe(200);
        const found = body.Resources?.find((each: { id: string }) => each.id === id) ?? body;
        expect(Object.keys(found)).toContain(isThere);
        expect(Object.keys(found)).not.toContain(isNot);
      }
    });
  });

  describe('PATCH', () => {
    const check = async (id: string, { path, attribute, names }: TestedAttribute, op: string) => {
      const value = op === 'remove' ? undefined : await tester.valueOf(attribute);
      const { status, body } = await patch(endpoint, id, { op, path, value });
      expect([path, status]).toEqual([path, type === 'User' ? 200 : 204]);
      if (body !== null) expect([path, valueIn(body, names)]).toEqual([path, value]);
      expect([path, valueIn(await read(id), names)]).toEqual([path, value]);
    };

    test('check_add_attribute', async () => {
      const { id } = await created();
      expect(await optional()).not.toEqual([]);
      // An extension as a whole comes after its attributes, which it would otherwise have set already.
      for (const each of (await optional()).reverse()) await check(id, each, 'add');
    });

    test('check_replace_attribute', async () => {
      const { id } = await created();
      for (const each of await attributes()) await check(id, each, 'replace');
    });

    test('check_remove_attribute', async () => {
      const { id } = await created({ all: true });
      for (const each of (await optional()).reverse()) await check(id, each, 'remove');
    });

    test('check_patch_required and check_patch_mutability', async () => {
      const resource = await created({ all: true });
      const all = await tester.attributesOf(type);
      const refused = [
        ...all.filter(({ attribute }) => attribute.required).map(({ path }) => ({ op: 'remove', path })),
        ...(await Promise.all(
          all
            .filter(({ attribute }) => !isWritable(attribute))
            .flatMap(({ path, attribute }) =>
              ['add', 'replace', 'remove'].map(async (op) => ({ op, path, value: await tester.valueOf(attribute) })),
            ),
        )),
        ...['add', 'replace', 'remove'].map((op) => ({ op, path: 'id', value: randomUUID() })),
      ];
      for (const operation of refused) {
        const { status, body } = await patch(endpoint, resource.id, operation);
        expect([operation, status, body]).toEqual([operation, 400, expect.objectContaining(isError(400))]);
        expect(body.scimType).toBe('mutability');
      }
      expect(await read(resource.id)).toEqual(resource);
    });

    test('check_patch_uniqueness', async () => {
      const [resource, other] = [await created({ all: true }), await created({ all: true })];
      for (const path of [type === 'User' ? 'userName' : 'displayName', 'externalId']) {
        const { status, body } = await patch(endpoint, other.id, { op: 'replace', path, value: resource[path] });
        expect([path, status, body.scimType]).toEqual([path, 409, 'uniqueness']);
      }
    });
  });
});

describe('a search of all types', () => {
  const search = (body: object) => ask('POST', '/.search', { schemas: [`${messages}:SearchRequest`], ...body });

  test('has pages, first of the users and then of the groups', async () => {
    const { ask: other } = await connectDirectory(service);
    const own = new ScimTester(other);
    const ids = [];
    for (const type of ['User', 'User', 'Group', 'Group']) ids.push((await own.create(type)).body.id);
    const pages = [];
    for (const [startIndex, count] of [
      [1, 3],
      [4, 3],
      [3, 1],
      [9, 3],
      [1, 0],
    ] as const) {
      const { body } = await other('POST', '/.search', { schemas: [`${messages}:SearchRequest`], startIndex, count });
      pages.push([body.totalResults, body.startIndex, idsOf(body).length]);
    }
    expect(pages).toEqual([
      [4, 1, 3],
      [4, 4, 1],
      [4, 3, 1],
      [4, 9, 0],
      [4, 1, 0],
    ]);
    const { body } = await other('POST', '/.search', { schemas: [`${messages}:SearchRequest`] });
    expect(idsOf(body).toSorted()).toEqual(ids.toSorted());
    expect(body.Resources.map(({ meta }: { meta: { resourceType: string } }) => meta.resourceType)).toEqual([
      'User',
      'User',
      'Group',
      'Group',
    ]);
  });

  test.each<[string, object, string]>([
    ['a filter, which depends on the type', { filter: 'userName eq "x"' }, 'invalidFilter'],
    ['another schema', { schemas: [`${messages}:PatchOp`] }, 'invalidSyntax'],
    ['no schema', { schemas: undefined }, 'invalidSyntax'],
    ['a count that is text', { count: '3' }, 'invalidValue'],
    ['a count with a fraction', { count: 1.5 }, 'invalidValue'],
    ['attributes that are no list', { attributes: 'id' }, 'invalidValue'],
    ['attributes that are no names', { attributes: [1] }, 'invalidValue'],
    ['both lists of attributes', { attributes: ['id'], excludedAttributes: ['meta'] }, 'invalidValue'],
    ['a filter that is no text', { filter: {} }, 'invalidValue'],
  ])('refuses %s', async (_, body, scimType) => {
    const { status, body: answer } = await search(body);
    expect([status, answer.scimType]).toEqual([400, scimType]);
  });

  test('is a POST, and needs both scopes', async () => {
    expect((await ask('GET', '/.search')).status).toBe(404);
    expect((await ask('PUT', '/Users/.search', {})).status).toBe(405);
    const { ask: ofUsers } = await connectDirectory(service, {}, { scopes: ['users:write'] });
    expect((await ofUsers('POST', '/.search', { schemas: [`${messages}:SearchRequest`] })).status).toBe(403);
    expect((await ofUsers('POST', '/Users/.search', { schemas: [`${messages}:SearchRequest`] })).status).toBe(200);
  });

  test('finds by a filter below an endpoint', async () => {
    const { body: user } = await tester.create('User');
    const filter = `userName eq "${user.userName}"`;
    const { body } = await ask('POST', '/Users/.search', { schemas: [`${messages}:SearchRequest`], filter });
    expect(body.Resources).toEqual([user]);
  });
});

function idsOf({ Resources }: { Resources: readonly { id: string }[] }): string[] {
  return Resources.map(({ id }) => id);
}
