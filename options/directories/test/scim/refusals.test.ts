import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import type { DirectoryUserState } from '../../scim/directory.ts';
import { readFilter } from '../../scim/filter.ts';
import { readGroupPatch, readGroupReplacement, readNewGroup } from '../../scim/group-change.ts';
import { readGroupQuery, readUserQuery } from '../../scim/list-query.ts';
import { readNewUser, readUserPatch } from '../../scim/user-change.ts';
import { enterpriseSchema } from '../../scim/user-schema.ts';

/** What the administrator of a directory reads: the type of SCIM, and a text that names the attribute. */
function told(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { scimType } = error.options.members ?? {};
    return `${error.code} ${error.status} ${scimType}: ${error.options.detail}`.replace('invalid_request 400 ', '');
  }
  return 'accepted';
}

const enterprise = enterpriseSchema.id;
const mustBeText = 'must be a string without NUL and unpaired surrogates';
const ada: DirectoryUserState = {
  userName: 'ada',
  externalId: null,
  active: true,
  attributes: { emails: [{ value: 'ada@example.com', type: 'work' }, { value: 'ada@home.example' }] },
};

describe('a refused user says why', () => {
  const many = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, n) => ({ value: `${n}`, ...more }));

  test.each<[object, string]>([
    [{}, 'invalidValue: userName is required'],
    [{ userName: '' }, 'invalidValue: userName is required'],
    [{ active: 'yes' }, 'invalidValue: active must be true or false'],
    [{ active: [] }, 'mutability: active cannot be removed'],
    [{ title: 7 }, `invalidValue: title ${mustBeText}`],
    [{ title: ['a', 'b'] }, 'invalidValue: title must be one value'],
    [{ name: 'Ada' }, 'invalidValue: name must be an object'],
    [{ name: { givenName: 7 } }, `invalidValue: name.givenName ${mustBeText}`],
    [{ name: { givenName: 'A', GIVENNAME: 'B' } }, 'invalidSyntax: name.givenName is given twice'],
    [{ emails: many(101) }, 'invalidValue: emails must have at most 100 values'],
    [{ emails: many(2, { primary: true }) }, 'invalidValue: emails must have at most one value that is primary'],
    [{ [enterprise]: { manager: '\0' } }, `invalidValue: manager ${mustBeText}`],
    [{ [enterprise]: { manager: [{ value: 'a' }, { value: 'b' }] } }, 'invalidValue: manager must be an object'],
    [{ [enterprise]: 'x' }, `invalidValue: ${enterprise} must be an object`],
    [{ userName: 'a', USERNAME: 'b' }, 'invalidSyntax: username is given twice'],
    ...['roles', 'entitlements'].map((name): [object, string] => [
      { [name]: [{ value: 'x' }] },
      `invalidValue: ${name} is not supported: roles are assigned by groups. Remove its mapping`,
    ]),
  ])('%j', (body, expected) => {
    const whole = Object.keys(body).includes('userName') || Object.keys(body).length === 0;
    expect(told(() => readNewUser(whole ? body : { userName: 'a', ...body }))).toBe(expected);
  });

  test('100 values are accepted', () => {
    expect(readNewUser({ userName: 'a', emails: many(100) }).attributes.emails).toHaveLength(100);
    expect(told(() => readUserPatch({ Operations: [{ op: 'add', path: 'emails', value: many(99) }] })(ada))).toBe(
      'invalidValue: emails must have at most 100 values',
    );
  });
});

describe('a refused PATCH of a user says why', () => {
  const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
  test.each<[object, string]>([
    [{ path: 'emails[value eq "ada@example.com"' }, 'invalidPath: The path emails… is malformed.'],
    [{ path: 'a b' }, 'invalidPath: The path a b is malformed.'],
    [{ path: ' '.repeat(101) }, `invalidPath: The path ${' '.repeat(100)}… is malformed.`],
    [{ path: `x${core}:title` }, `invalidPath: The path x${core}:title is malformed.`],
    [{ path: `${core}:title:` }, `invalidPath: The path ${core}:title: is malformed.`],
    [{ path: 'ID' }, 'mutability: id cannot be changed'],
    [{ path: 'meta' }, 'mutability: meta cannot be changed'],
    [{ path: 'schemas' }, 'mutability: schemas cannot be changed'],
    [{ path: 'GROUPS' }, 'mutability: groups cannot be changed'],
    [{ op: 'remove', path: 'USERNAME' }, 'mutability: userName cannot be removed'],
    [{ path: 'active', value: null }, 'mutability: active cannot be removed'],
    [{ path: 'active.value', value: true }, 'invalidPath: active has no parts'],
    [{ path: 'emails.value' }, 'invalidPath: emails has several values: select one, as in emails[type eq "work"].'],
    [{ path: 'emails[kind eq "x"].value' }, 'invalidFilter: The filter names kind, which emails does not have.'],
    [{ path: 'emails[type ne "x"].value' }, 'invalidFilter: The filter has ne; only eq and and are supported.'],
    ...['', 'type eq "work" and '].map((first): [object, string] => [
      { path: `emails[${first}value[type eq "x"].display eq "y"].value` },
      'invalidFilter: The filter cannot have brackets within brackets.',
    ]),
    [{ path: 'emails[type eq 7].value' }, `invalidValue: emails.type ${mustBeText}`],
    [{ path: 'name.givenName', value: 7 }, `invalidValue: name.givenName ${mustBeText}`],
    [{ path: `${enterprise}:manager`, value: ['a', 'b'] }, 'invalidValue: manager must be an object'],
    [
      { op: 'remove', path: 'emails', value: [{}, { value: 'ada@home.example' }] },
      'invalidValue: emails must name the values',
    ],
    [{ op: 'move', path: 'title' }, 'invalidSyntax: op must be add, replace or remove'],
    [{ op: 7, path: 'title' }, 'invalidSyntax: op must be add, replace or remove'],
    [{ path: 7 }, 'invalidPath: path must be a string'],
    [{ path: 'favouriteColor', value: undefined }, 'invalidValue: replace requires a value'],
    [{ op: 'remove' }, 'noTarget: remove requires a path'],
    [{ value: 'x' }, 'invalidValue: The value must be an object, because there is no path'],
  ])('%j', (operation, expected) => {
    const given = JSON.parse(JSON.stringify({ op: 'replace', value: 'x', ...operation }));
    expect(told(() => readUserPatch({ Operations: [given] })(ada))).toBe(expected);
  });

  test.each<[string, object, string]>([
    ['an operation that is null', { Operations: [null] }, 'invalidSyntax: An operation must be an object'],
    ['an operation that is text', { Operations: ['remove'] }, 'invalidSyntax: An operation must be an object'],
    ['no operation', {}, 'invalidSyntax: Operations must be a list with at least one operation'],
    ['operations given twice', { Operations: [], operations: [] }, 'invalidSyntax: Operations is given twice'],
    [
      'another schema',
      { schemas: [7, 'urn:x'], Operations: [] },
      'invalidSyntax: schemas must have urn:ietf:params:scim:api:messages:2.0:PatchOp',
    ],
    [
      '1001 operations',
      { Operations: Array(1001).fill({ op: 'remove', path: 'title' }) },
      'tooMany: Operations must have at most 1000',
    ],
  ])('%s', (_, body, expected) => {
    expect(told(() => readUserPatch(body))).toBe(expected);
  });

  test('1000 operations are accepted, and the schema beside others', () => {
    const schemas = ['urn:x', 'URN:ietf:params:scim:api:messages:2.0:PatchOp'];
    const Operations = Array(1000).fill({ op: 'remove', path: 'title' });
    expect(told(() => readUserPatch({ schemas, Operations })(ada))).toBe('accepted');
  });
});

describe('a refused group says why', () => {
  const mustBeIds = 'invalidValue: members must have the ids of users as values';
  const noGroups = 'invalidValue: members cannot be groups: assign the users of a nested group directly';
  const length = 'must be text of 1 to 256 characters';

  test.each<[object, string]>([
    [{ displayName: undefined }, 'invalidValue: displayName is required'],
    [{ displayName: null }, 'invalidValue: displayName is required'],
    [{ displayName: ' ' }, `invalidValue: displayName ${length}`],
    [{ displayName: 'x'.repeat(257) }, `invalidValue: displayName ${length}`],
    [{ displayName: '\ud800' }, 'invalidValue: displayName must be a string without NUL and unpaired surrogates'],
    [{ externalId: '' }, `invalidValue: externalId ${length}`],
    [{ members: [{ value: 7 }] }, mustBeIds],
    [{ members: [{ value: '..' }] }, mustBeIds],
    [{ members: [{ value: 'g', type: 'GROUP' }] }, noGroups],
    [{ members: [{ value: 'g', $ref: 'https://s/groups/g' }] }, noGroups],
  ])('%j', (body, expected) => {
    expect(told(() => readNewGroup({ displayName: 'G', ...body }))).toBe(expected);
    expect(told(() => readGroupReplacement({ displayName: 'G', ...body }))).toBe(expected);
  });

  test('256 characters are accepted, and a user below an address with groups in it', () => {
    const text = 'x'.repeat(256);
    const members = [{ value: 'u', $ref: 'https://s/groups/scim/v2/Users/u' }];
    expect(readNewGroup({ displayName: text, externalId: text, members })).toEqual({
      displayName: text,
      externalId: text,
      members: ['u'],
    });
  });

  test.each<[object, string]>([
    [{ path: 'urn:ietf:params:scim:schemas:core:2.0:Group' }, 'invalidPath: The path must name an attribute'],
    [{ path: 'meta' }, 'mutability: meta cannot be changed'],
    [{ path: 'schemas' }, 'mutability: schemas cannot be changed'],
    [{ path: 'members.value' }, 'invalidPath: The members change as a whole'],
    [{ path: 'members.x' }, 'invalidPath: The members change as a whole'],
    [{ path: 'displayName[value eq "x"]' }, 'invalidPath: displayName has no parts'],
    [{ path: 'externalId.x' }, 'invalidPath: externalId has no parts'],
    [{ path: 'displayName', value: '' }, `invalidValue: displayName ${length}`],
    [{ op: 'remove', path: 'displayName' }, 'mutability: displayName cannot be removed'],
    [{ path: 'members[value eq "u"]' }, 'invalidPath: Members can be selected only to remove them, by their value'],
    [{ op: 'remove', path: 'members', value: 7 }, mustBeIds],
  ])('in a PATCH: %j', (operation, expected) => {
    const Operations = [{ op: 'replace', value: 'x', ...operation }];
    expect(told(() => readGroupPatch({ Operations }))).toBe(expected);
  });
});

describe('a refused filter says why', () => {
  const within = 'must compare a sub-attribute after a value filter in brackets';
  const ofUsers = (filter: string) => told(() => readUserQuery(new URLSearchParams({ filter })));
  const ofGroups = (filter: string) => told(() => readGroupQuery(new URLSearchParams({ filter })));
  const refused = (detail: string) => `invalidFilter: The filter ${detail}.`;

  test.each([
    ['emails[type eq "work"]', within],
    ['userName eq "\\x"', 'has a text that is not valid JSON'],
    ['userName eq "a', 'cannot be parsed'],
    ['userName eq \\', 'cannot be parsed'],
    ['userName pr', 'has pr; only eq and and are supported'],
    ['userName eq true', 'must compare userName with text'],
    ['userName eq "a" and userName eq "b"', 'compares userName twice'],
    ['displayName eq "A"', 'compares displayname, which is not supported'],
    ['emails.foo eq "a"', 'compares emails.foo, which is not supported'],
    [`${enterprise} eq "a"`, `compares ${enterprise}, which is not supported`],
    ['a$b eq "a"', 'cannot be parsed'],
    ['manager eq "m"', 'compares the manager, which is possible only with the id'],
    ['emails[display eq "x"].value eq "a"', 'selects e-mail addresses not by type'],
    ['emails[type eq "x" and display eq "y"].value eq "a"', 'selects e-mail addresses not by type'],
    ['id eq "u" and manager[displayName eq "x"].value eq "m"', 'compares manager.value, which is not supported'],
    ['name[givenName eq "A"].familyName eq "B"', 'compares name.familyname, which is not supported'],
  ])('of users: %s', (filter, detail) => {
    expect(ofUsers(filter)).toBe(refused(detail));
  });

  test.each([
    ['members[type eq "User"].value eq "u"', 'selects an element of members.value, which is not supported'],
    ['userName eq "a"', 'compares username, which is not supported'],
    ['displayName eq 7', 'must compare displayName with text'],
  ])('of groups: %s', (filter, detail) => {
    expect(ofGroups(filter)).toBe(refused(detail));
  });

  test('it may have 2000 characters', () => {
    const filter = (length: number) => `id eq "${'x'.repeat(length - 'id eq ""'.length)}"`;
    expect(readFilter(filter(2000))).toHaveLength(1);
    expect(told(() => readFilter(filter(2001)))).toBe(refused('must have at most 2000 characters'));
  });

  test('and what selects the attributes or the page is told too', () => {
    expect(told(() => readUserQuery(new URLSearchParams({ count: 'x' })))).toBe(
      'invalidValue: count must be an integer',
    );
  });
});
