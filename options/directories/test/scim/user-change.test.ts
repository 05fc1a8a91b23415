import { describe, expect, test } from '@jest/globals';
import type { DirectoryUserState, JsonObject } from '../../scim/directory.ts';
import { readNewUser, readUserPatch } from '../../scim/user-change.ts';
import { enterpriseSchema } from '../../scim/user-schema.ts';
import { ada, refusal } from '../support/scim-user.ts';

const enterprise = enterpriseSchema.id;
const patchOp = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };
const patched = (Operations: readonly object[], current = ada) => readUserPatch({ ...patchOp, Operations })(current);
const changed = (attributes: JsonObject) => ({ ...ada, attributes: { ...ada.attributes, ...attributes } });
const inEnterprise = (members: JsonObject) =>
  changed({ [enterprise]: { ...(ada.attributes[enterprise] as JsonObject), ...members } });
const emails = (...values: readonly JsonObject[]) => changed({ emails: values });
const [work, home] = ada.attributes.emails as readonly [JsonObject, JsonObject];

describe('a PATCH of a user', () => {
  test.each<[string, object[], DirectoryUserState]>([
    ['without a path', [{ op: 'replace', value: { active: false } }], { ...ada, active: false }],
    [
      'with a capital, and a boolean as text',
      [{ op: 'Replace', path: 'active', value: 'False' }],
      { ...ada, active: false },
    ],
    ['with the path in capitals', [{ op: 'REPLACE', path: 'ACTIVE', value: 'FALSE' }], { ...ada, active: false }],
    ['that adds a simple attribute', [{ op: 'Add', path: 'nickName', value: 'A' }], changed({ nickName: 'A' })],
    [
      'of a selected value',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@x.io' }],
      emails({ ...work, value: 'b@x.io' }, home),
    ],
    [
      'of a selected value that is absent creates it',
      [{ op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '1' }],
      changed({ phoneNumbers: [{ type: 'mobile', value: '1' }] }),
    ],
    [
      'of a value selected by a boolean as text',
      [{ op: 'Replace', path: 'emails[primary eq "True"].value', value: 'b@x.io' }],
      emails({ ...work, value: 'b@x.io' }, home),
    ],
    [
      'of a value selected by a bare boolean with a capital',
      [{ op: 'Replace', path: 'emails[primary eq True].value', value: 'b@x.io' }],
      emails({ ...work, value: 'b@x.io' }, home),
    ],
    [
      'of a member',
      [{ op: 'Replace', path: 'name.familyName', value: 'King' }],
      changed({ name: { familyName: 'King', givenName: 'Ada' } }),
    ],
    [
      'of an extension by its URN',
      [{ op: 'Replace', path: `${enterprise}:employeeNumber`, value: '7' }],
      inEnterprise({ employeeNumber: '7' }),
    ],
    [
      'of an extension by its URN in another case',
      [{ op: 'Replace', path: `${enterprise.toUpperCase()}:DEPARTMENT`, value: 'X' }],
      inEnterprise({ department: 'X' }),
    ],
    [
      'of an attribute by the URN of its core schema',
      [{ op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', value: 'A' }],
      changed({ name: { familyName: 'Lovelace', givenName: 'A' } }),
    ],
    [
      'of a selected value by the URN of its core schema',
      [{ op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "home"].value', value: 'h' }],
      emails(work, { ...home, value: 'h' }),
    ],
    [
      'of the manager as a list',
      [{ op: 'Add', path: 'manager', value: [{ $ref: 'https://s/Users/m', value: 'm' }] }],
      inEnterprise({ manager: { value: 'm', $ref: 'https://s/Users/m' } }),
    ],
    [
      'of the manager as text',
      [{ op: 'Add', path: `${enterprise}:manager`, value: 'm' }],
      inEnterprise({ manager: { value: 'm' } }),
    ],
    [
      'that removes the manager by a filter',
      [{ op: 'Remove', path: 'manager[value eq "grace"]' }],
      changed({ [enterprise]: { department: 'Research' } }),
    ],
    ['that removes another manager does nothing', [{ op: 'Remove', path: 'manager[value eq "m"]' }], ada],
    [
      'without a path, with dotted keys and URNs',
      [
        {
          op: 'replace',
          value: {
            'name.givenName': 'A',
            [`${enterprise}:department`]: 'X',
            'emails[type eq "home"].value': 'h',
            displayName: 'A L',
          },
        },
      ],
      {
        ...ada,
        attributes: {
          name: { familyName: 'Lovelace', givenName: 'A' },
          displayName: 'A L',
          emails: [work, { ...home, value: 'h' }],
          [enterprise]: { department: 'X', manager: { value: 'grace' } },
        },
      },
    ],
    [
      'of a whole extension',
      [{ op: 'add', path: enterprise, value: { costCenter: '1' } }],
      inEnterprise({ costCenter: '1' }),
    ],
    [
      'that nests an extension without a path',
      [{ op: 'add', value: { [enterprise]: { costCenter: '1' } } }],
      inEnterprise({ costCenter: '1' }),
    ],
    [
      'that removes a whole extension',
      [{ op: 'remove', path: enterprise }],
      { ...ada, attributes: without(ada.attributes, enterprise) },
    ],
    [
      'that adds a value',
      [{ op: 'add', path: 'emails', value: [{ value: 'c@x.io', type: 'other' }] }],
      emails(work, home, { value: 'c@x.io', type: 'other' }),
    ],
    [
      'that adds what is there already',
      [{ op: 'add', path: 'emails', value: [{ type: 'home', value: home.value }] }],
      ada,
    ],
    [
      'that adds a primary value takes that from the others',
      [{ op: 'add', path: 'emails', value: { value: 'c@x.io', primary: 'True' } }],
      emails({ ...work, primary: false }, home, { value: 'c@x.io', primary: true }),
    ],
    ['that replaces all values', [{ op: 'replace', path: 'emails', value: [home] }], emails(home)],
    [
      'that removes values by a list',
      [{ op: 'remove', path: 'emails', value: [{ $ref: null, value: home.value }] }],
      emails(work),
    ],
    [
      'that removes values by a list and a filter',
      [{ op: 'remove', path: 'emails[type eq "work"]', value: [{ value: home.value }, { value: work.value }] }],
      emails(home),
    ],
    ['that removes values by a filter', [{ op: 'remove', path: 'emails[type eq "HOME"]' }], emails(work)],
    [
      'that removes a member of a value',
      [{ op: 'remove', path: 'emails[type eq "work"].primary' }],
      emails({ value: work.value ?? '', type: 'work' }, home),
    ],
    [
      'that removes an attribute',
      [{ op: 'remove', path: 'emails' }],
      { ...ada, attributes: without(ada.attributes, 'emails') },
    ],
    [
      'that replaces by null',
      [{ op: 'replace', path: 'displayName', value: null }],
      { ...ada, attributes: without(ada.attributes, 'displayName') },
    ],
    ['that removes the externalId', [{ op: 'remove', path: 'externalId' }], { ...ada, externalId: null }],
    [
      'of several attributes, in order',
      [
        { op: 'replace', path: 'displayName', value: 'X' },
        { op: 'replace', path: 'displayName', value: 'Y' },
      ],
      changed({ displayName: 'Y' }),
    ],
    ['of the password keeps nothing of it', [{ op: 'replace', path: 'password', value: 'secret' }], ada],
    ['of an attribute that is not declared', [{ op: 'add', path: 'favouriteColor', value: 'blue' }], ada],
    ['of a schema that is not known', [{ op: 'add', path: 'urn:example:2.0:User:badge', value: '1' }], ada],
    [
      'of an attribute that only another schema has',
      [
        { op: 'replace', path: `${enterprise}:active`, value: false },
        { op: 'replace', path: `${enterprise}:userName`, value: 'x' },
        { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:department', value: 'x' },
      ],
      ada,
    ],
    ['of empty roles', [{ op: 'replace', path: 'roles', value: [] }], ada],
    ['that removes roles', [{ op: 'remove', path: 'roles' }], ada],
    ['of a simple attribute as a list', [{ op: 'replace', path: 'title', value: ['T'] }], changed({ title: 'T' })],
    [
      'of a whole selected value replaces it',
      [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'b@x.io' } }],
      emails({ type: 'work', value: 'b@x.io' }, home),
    ],
    [
      'of a whole selected value adds to it',
      [{ op: 'add', path: 'emails[type eq "work"]', value: [{ value: 'b@x.io' }] }],
      emails({ ...work, value: 'b@x.io' }, home),
    ],
    [
      'of a selected value that is absent and becomes primary takes that from the others',
      [{ op: 'add', path: 'emails[type eq "other"]', value: { value: 'c', primary: true } }],
      emails({ ...work, primary: false }, home, { type: 'other', value: 'c', primary: true }),
    ],
    [
      'of parts of the name keeps the others (RFC 7644 section 3.5.2.3)',
      [{ op: 'replace', path: 'name', value: { givenName: 'A' } }],
      changed({ name: { familyName: 'Lovelace', givenName: 'A' } }),
    ],
    [
      'that adds nothing',
      [
        { op: 'add', path: 'emails', value: [] },
        { op: 'add', path: 'title', value: null },
      ],
      ada,
    ],
    ['that adds null keeps what is there', [{ op: 'add', path: 'displayName', value: null }], ada],
    ['that adds empty values', [{ op: 'add', path: 'emails', value: [{}, { value: null }] }], ada],
    [
      'that replaces all values by none',
      [{ op: 'replace', path: 'emails', value: [] }],
      { ...ada, attributes: without(ada.attributes, 'emails') },
    ],
    [
      'that removes an attribute, with null as its value',
      [{ op: 'remove', path: 'emails', value: null }],
      { ...ada, attributes: without(ada.attributes, 'emails') },
    ],
    [
      'that removes a simple attribute, whatever its value says',
      [{ op: 'remove', path: 'displayName', value: 'X' }],
      { ...ada, attributes: without(ada.attributes, 'displayName') },
    ],
    [
      'that replaces a whole extension by null',
      [{ op: 'replace', path: enterprise, value: null }],
      { ...ada, attributes: without(ada.attributes, enterprise) },
    ],
    [
      'that removes a value, whatever the list says for people',
      [{ op: 'remove', path: 'emails', value: [{ value: home.value, display: 'Home' }] }],
      emails(work),
    ],
    ['that removes by a number does nothing', [{ op: 'remove', path: 'emails[type eq 7]' }], ada],
    [
      'that sends the id back',
      [{ op: 'replace', value: { id: 'ada', schemas: [], meta: {}, nickName: 'A' } }],
      changed({ nickName: 'A' }),
    ],
  ])('%s', (_, operations, expected) => {
    const before = JSON.stringify(ada);
    expect(patched(operations)).toEqual(expected);
    expect(JSON.stringify(ada)).toBe(before);
  });

  test('of a value without a filter is clear if there is at most one', () => {
    const replace = [{ op: 'replace', path: 'emails.value', value: 'b@x.io' }];
    const [one, none] = [[{ value: 'a@x.io', type: 'work' }], []];
    const replaced = (values: readonly JsonObject[]) => patched(replace, emails(...values)).attributes.emails;
    expect(replaced(one)).toEqual([{ value: 'b@x.io', type: 'work' }]);
    expect(replaced(none)).toEqual([{ value: 'b@x.io' }]);
  });

  test('removes the addresses that have all that the list names', () => {
    const [office, branch] = [
      { type: 'work', country: 'DE' },
      { type: 'work', country: 'FR' },
    ];
    const left = (value: JsonObject) =>
      patched([{ op: 'remove', path: 'addresses', value: [value] }], changed({ addresses: [office, branch] }))
        .attributes.addresses;
    expect([left({ type: 'work', country: 'DE' }), left({ country: 'FR' })]).toEqual([[branch], [office]]);
    expect(left({ type: 'home', country: 'DE' })).toEqual([office, branch]);
  });

  test('selects by texts in any case, by ids as they are, and nothing that has no value to compare', () => {
    const untyped = { value: 'c@x.io' };
    const removed = (path: string) => patched([{ op: 'remove', path }], emails(work, untyped)).attributes;
    expect(removed('emails[type eq "WORK"]').emails).toEqual([untyped]);
    expect(removed('emails[primary eq "false"]').emails).toEqual([work]);
    expect(removed('manager[value eq "GRACE"]')[enterprise]).toEqual(ada.attributes[enterprise]);
  });

  test('of a user with few attributes adds others', () => {
    const bob = { userName: 'bob', externalId: null, active: false, attributes: {} };
    expect(patched([{ op: 'add', path: 'title', value: 'T' }], bob)).toEqual({ ...bob, attributes: { title: 'T' } });
  });

  test.each<[string, object[], string]>([
    ['a boolean that is neither', [{ op: 'replace', path: 'active', value: 'maybe' }], 'invalidValue'],
    ['active as null', [{ op: 'replace', path: 'active', value: null }], 'mutability'],
    ['a part of active', [{ op: 'replace', path: 'active.value', value: false }], 'invalidPath'],
    ['a condition on active', [{ op: 'replace', path: 'active[value eq "x"]', value: false }], 'invalidPath'],
    ['no active', [{ op: 'remove', path: 'active' }], 'mutability'],
    ['no userName', [{ op: 'remove', path: 'userName' }], 'mutability'],
    ['an empty userName', [{ op: 'replace', path: 'userName', value: ' ' }], 'invalidValue'],
    ['roles', [{ op: 'add', path: 'roles', value: [{ value: 'admin' }] }], 'invalidValue'],
    ['roles by a filter', [{ op: 'add', path: 'roles[primary eq "True"].value', value: 'admin' }], 'invalidValue'],
    ['roles without a path', [{ op: 'add', value: { roles: [{ value: 'admin' }] } }], 'invalidValue'],
    ['entitlements', [{ op: 'add', path: 'entitlements', value: 'e' }], 'invalidValue'],
    ['groups', [{ op: 'add', path: 'groups', value: [{ value: 'g' }] }], 'mutability'],
    ['groups without a path', [{ op: 'add', value: { groups: [{ value: 'g' }] } }], 'mutability'],
    ['the id', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    ['a removal without a path', [{ op: 'remove', value: { active: false } }], 'noTarget'],
    ['an unknown operation', [{ op: 'move', path: 'title', value: 'x' }], 'invalidSyntax'],
    ['an operation without a value', [{ op: 'replace', path: 'title' }], 'invalidValue'],
    ['a value that is no object, without a path', [{ op: 'replace', value: 'x' }], 'invalidValue'],
    ['a malformed path', [{ op: 'replace', path: 'emails[type eq "work"', value: 'x' }], 'invalidPath'],
    ['a path of a prototype', [{ op: 'add', path: '__proto__.polluted', value: 'x' }], 'invalidPath'],
    [
      'an unsupported condition',
      [{ op: 'replace', path: 'emails[type ne "work"].value', value: 'x' }],
      'invalidFilter',
    ],
    ['a member of several values', [{ op: 'replace', path: 'emails.value', value: 'x' }], 'invalidPath'],
    [
      'two primary values',
      [
        {
          op: 'replace',
          path: 'emails',
          value: [
            { value: 'a', primary: true },
            { value: 'b', primary: true },
          ],
        },
      ],
      'invalidValue',
    ],
    ['a name given twice', [{ op: 'replace', value: { active: true, Active: false } }], 'invalidSyntax'],
    ['text of another type', [{ op: 'replace', path: 'title', value: 7 }], 'invalidValue'],
    ['an unpaired surrogate', [{ op: 'replace', path: 'title', value: '\ud800' }], 'invalidValue'],
    ['a removal that names nothing', [{ op: 'remove', path: 'emails', value: [{}] }], 'invalidValue'],
    ['no operations', [], 'invalidSyntax'],
    ['a second operation', [{ op: 'replace', path: 'title', value: 'x' }, { op: 'remove' }], 'noTarget'],
  ])('refuses %s', (_, operations, scimType) => {
    expect(refusal(() => patched(operations))).toBe(scimType);
  });

  test('refuses another message, and members that are given twice', () => {
    const Operations = [{ op: 'replace', path: 'title', value: 'x' }];
    expect(refusal(() => readUserPatch({ schemas: ['urn:x'], Operations }))).toBe('invalidSyntax');
    expect(refusal(() => readUserPatch({ Operations, operations: [] }))).toBe('invalidSyntax');
    expect(refusal(() => readUserPatch({ Operations: { op: 'replace' } }))).toBe('invalidSyntax');
    const many = Array.from({ length: 1001 }, () => Operations[0]);
    expect(refusal(() => readUserPatch({ Operations: many }))).toBe('tooMany');
    expect(readUserPatch({ operations: Operations })(ada)).toEqual(changed({ title: 'x' }));
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('the name %s harms nothing', (name) => {
    const value = JSON.parse(`{"${name}":{"polluted":true},"emails":[{"${name}":1,"value":"x"}]}`);
    for (const operation of [
      { op: 'add', path: `${name}.polluted`, value: true },
      { op: 'add', path: `name.${name}`, value: true },
      { op: 'add', path: `emails[${name} eq "x"].value`, value: 'x' },
      { op: 'replace', value },
      { op: 'remove', path: name },
    ]) {
      const result = refusal(() => patched([operation]));
      expect(['invalidPath', 'invalidFilter', 'object']).toContain(typeof result === 'object' ? 'object' : result);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(readNewUser({ ...value, userName: 'a' })).toMatchObject({ userName: 'a', active: true });
  });
});

function without(attributes: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([each]) => each !== name));
}
