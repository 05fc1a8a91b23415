import { describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { type DirectoryUser, pageOf } from '../../scim/directory.ts';
import { groupResource, listResponse, userResource } from '../../scim/resource.ts';
import { readSelection, select, selects } from '../../scim/selection.ts';
import { enterpriseSchema } from '../../scim/user-schema.ts';

const base = 'https://api.example.com/scim/v2';
const enterprise = enterpriseSchema.id;
const dates = { version: 3, createdAt: '2026-11-26T00:00:00.000Z', updatedAt: '2026-11-26T01:00:00.000Z' };
const user: DirectoryUser = {
  ...dates,
  id: 'a|1' as UserId,
  userName: 'a@x.io',
  externalId: 'e1',
  active: true,
  attributes: {
    name: { givenName: 'A', familyName: 'B' },
    emails: [{ value: 'a@x.io', type: 'work' }],
    [enterprise]: { department: 'X', manager: { value: 'm' } },
  },
  groups: [{ id: 'g1', displayName: 'G' }],
};
const resource = userResource(user, base);
const selected = (query: string) => select(resource, readSelection(new URLSearchParams(query)));

test('a user has its schemas, groups, address and version', () => {
  expect(resource).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    id: 'a|1',
    externalId: 'e1',
    userName: 'a@x.io',
    active: true,
    ...user.attributes,
    groups: [{ value: 'g1', $ref: `${base}/Groups/g1`, display: 'G', type: 'direct' }],
    meta: {
      resourceType: 'User',
      created: dates.createdAt,
      lastModified: dates.updatedAt,
      location: `${base}/Users/a%7C1`,
      version: '"3"',
    },
  });
  const plain = userResource({ ...user, externalId: null, attributes: {} }, base);
  expect([plain.schemas, 'externalId' in plain]).toEqual([['urn:ietf:params:scim:schemas:core:2.0:User'], false]);
});

test('a group has its members, unless they were not read', () => {
  const group = { ...dates, id: 'g1', displayName: 'G', externalId: 'e1', members: [user.id] };
  expect(groupResource(group, base)).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id: 'g1',
    externalId: 'e1',
    displayName: 'G',
    members: [{ value: 'a|1', $ref: `${base}/Users/a%7C1`, type: 'User' }],
    meta: {
      resourceType: 'Group',
      created: dates.createdAt,
      lastModified: dates.updatedAt,
      location: `${base}/Groups/g1`,
      version: '"3"',
    },
  });
  const plain = groupResource({ ...group, externalId: null, members: undefined }, base);
  expect(['members' in plain, 'externalId' in plain]).toEqual([false, false]);
});

test('a page begins with the first result, and has no more than it should', () => {
  const page = (startIndex: number, count: number) => pageOf(['a', 'b', 'c'], { startIndex, count });
  expect([page(1, 2), page(2, 2), page(3, 2), page(4, 2)]).toEqual([['a', 'b'], ['b', 'c'], ['c'], []]);
  expect([page(0, 1), page(-5, 1), page(1, 0), page(2, -1)]).toEqual([['a'], ['a'], [], []]);
});

test('a page counts its results by numbers, also without any', () => {
  expect(listResponse([], { total: 0, startIndex: 1 })).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  });
});

describe('a selection', () => {
  const { schemas, id } = resource;
  test.each<[string, object]>([
    ['attributes=userName', { schemas, id, userName: 'a@x.io' }],
    ['attributes=USERNAME,%20name.givenName', { schemas, id, userName: 'a@x.io', name: { givenName: 'A' } }],
    ['attributes=emails.value', { schemas, id, emails: [{ value: 'a@x.io' }] }],
    [`attributes=${enterprise}:department`, { schemas, id, [enterprise]: { department: 'X' } }],
    [`attributes=${enterprise}:manager.value`, { schemas, id, [enterprise]: { manager: { value: 'm' } } }],
    ['attributes=urn:ietf:params:scim:schemas:core:2.0:User:active', { schemas, id, active: true }],
    ['attributes=unknown,__proto__,constructor.name', { schemas, id }],
    ['attributes=name,name.givenName', { schemas, id, name: { givenName: 'A', familyName: 'B' } }],
    ['attributes=userName.value', { schemas, id, userName: 'a@x.io' }],
    [`attributes=${enterprise}`, { schemas, id, [enterprise]: user.attributes[enterprise] }],
  ])('%s', (query, expected) => {
    expect(selected(query)).toEqual(expected);
  });

  test('excludes all but the id and the schemas', () => {
    const names = Object.keys(resource).join(',');
    expect(selected(`excludedAttributes=${names}`)).toEqual({ schemas, id });
    expect(selected('excludedAttributes=name.givenName,groups').name).toEqual({ familyName: 'B' });
    expect(selected('')).toEqual(resource);
    expect(selected('excludedAttributes=name.givenName,name')).not.toHaveProperty('name');
    expect(selected('excludedAttributes=emails.type').emails).toEqual([{ value: 'a@x.io' }]);
    const both = () => selected('attributes=userName&excludedAttributes=name');
    expect(both).toThrow('attributes and excludedAttributes exclude each other');
    expect(both).toThrow(
      expect.objectContaining({ options: expect.objectContaining({ members: { scimType: 'invalidValue' } }) }),
    );
  });

  test('says whether an attribute has to be read', () => {
    const reads = (query: string) => selects(readSelection(new URLSearchParams(query)), 'members');
    expect(['', 'attributes=Members.value', 'excludedAttributes=members.value'].map(reads)).toEqual([true, true, true]);
    expect(['attributes=id,members', 'excludedAttributes=name'].map(reads)).toEqual([true, true]);
    expect(['attributes=id', 'excludedAttributes=MEMBERS'].map(reads)).toEqual([false, false]);
  });
});
