import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../scim/directory.ts';
import { discover } from '../../scim/discovery.ts';

const base = 'https://api.example.com/scim/v2';
const listed = (path: string) => (discover(path, base)?.Resources ?? []) as readonly JsonObject[];

describe('what scim2-tester checks of the discovery', () => {
  test('the configuration says what is supported, as in RFC 7643 section 8.5', () => {
    expect(discover('/ServiceProviderConfig', base)).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 100 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: expect.stringMatching(/./),
          description: expect.stringMatching(/./),
          specUri: expect.stringMatching(/rfc6750$/),
          primary: true,
        },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
    });
  });

  test('the resource types are those of RFC 7643 section 8.6', () => {
    const [core, extension] = ['urn:ietf:params:scim:schemas:core:2.0', 'urn:ietf:params:scim:schemas:extension'];
    const type = (name: string, description: string) => ({
      schemas: [`${core}:ResourceType`],
      id: name,
      name,
      endpoint: `/${name}s`,
      description,
      schema: `${core}:${name}`,
      meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
    });
    expect(discover('/ResourceTypes', base)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 2,
      startIndex: 1,
      itemsPerPage: 2,
      Resources: [
        {
          ...type('User', 'User Account'),
          schemaExtensions: [{ schema: `${extension}:enterprise:2.0:User`, required: false }],
        },
        type('Group', 'Group'),
      ],
    });
  });

  test('each resource type is found by its id, and names schemas that exist', () => {
    const types = listed('/ResourceTypes');
    expect(types.map(({ name, endpoint }) => [name, endpoint])).toEqual([
      ['User', '/Users'],
      ['Group', '/Groups'],
    ]);
    for (const type of types) {
      expect(discover(`/ResourceTypes/${type.id}`, base)).toEqual(type);
      const extensions = (type.schemaExtensions ?? []) as readonly JsonObject[];
      for (const schema of [type.schema, ...extensions.map((extension) => extension.schema)]) {
        expect(discover(`/Schemas/${schema}`, base)).toMatchObject({ id: schema });
      }
    }
  });

  test('all schemas are found by their ids, also those of the discovery itself', () => {
    const schemas = listed('/Schemas');
    expect(schemas.map(({ name }) => name)).toEqual([
      'User',
      'EnterpriseUser',
      'Group',
      'ServiceProviderConfig',
      'ResourceType',
      'Schema',
    ]);
    for (const schema of schemas) expect(discover(`/Schemas/${schema.id}`, base)).toEqual(schema);
    expect(discover(`/Schemas/${String(schemas[0]?.id).toUpperCase()}`, base)).toEqual(schemas[0]);
  });

  test.each([
    '/Schemas/c3b8f1d2',
    '/ResourceTypes/c3b8f1d2',
    '/ServiceProviderConfig/x',
    '/Schemas/__proto__',
    '/Schemas/x/y',
    '/ResourceTypes/User/y',
    '/ServiceProviderConfig/',
    '/v1/ServiceProviderConfig',
    '/v1/ResourceTypes/User',
    '/schemas',
    '/',
    '',
    '/c3b8f1d2',
  ])('%s does not exist', (path) => {
    expect(discover(path, base)).toBeUndefined();
  });

  test('each attribute says all that RFC 7643 section 7 requires', () => {
    const check = (attribute: JsonObject) => {
      expect(attribute).toMatchObject({
        name: expect.any(String),
        type: expect.any(String),
        multiValued: expect.any(Boolean),
        required: expect.any(Boolean),
        returned: 'default',
        uniqueness: expect.stringMatching(/^(?:none|server)$/),
        mutability: expect.stringMatching(/^(?:readWrite|readOnly|immutable)$/),
      });
      expect(Array.isArray(attribute.subAttributes)).toBe(
        attribute.type === 'complex' && attribute.name !== 'subAttributes',
      );
      for (const sub of (attribute.subAttributes ?? []) as readonly JsonObject[]) check(sub);
    };
    for (const { attributes } of listed('/Schemas'))
      for (const each of attributes as readonly JsonObject[]) check(each);
  });
});
