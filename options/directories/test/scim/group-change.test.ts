import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import type { GroupChange } from '../../scim/directory.ts';
import { readGroupPatch, readGroupReplacement, readNewGroup } from '../../scim/group-change.ts';

const patched = (...Operations: readonly object[]) => readGroupPatch({ Operations });
const refusal = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return error instanceof ServiceError ? error.options.members?.scimType : error;
  }
};
const member = (value: string) => ({ value });

describe('a PATCH of a group', () => {
  test.each<[string, object[], object]>([
    [
      "Okta's removal and addition",
      [
        { op: 'remove', path: 'members[value eq "u1"]' },
        { op: 'add', path: 'members', value: [{ value: 'u2', display: 'a@x.io' }] },
      ],
      { members: { add: ['u2'], remove: ['u1'] } },
    ],
    [
      "Okta's full push",
      [{ op: 'replace', path: 'members', value: [member('u1'), member('u2'), member('u1')] }],
      { members: { set: ['u1', 'u2'] } },
    ],
    ["Okta's full push of nobody", [{ op: 'replace', path: 'members', value: null }], { members: { set: [] } }],
    ["Okta's new name with its id", [{ op: 'replace', value: { id: 'g1', displayName: 'H' } }], { displayName: 'H' }],
    [
      "Entra ID's removal of a list",
      [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'u1' }] }],
      { members: { add: [], remove: ['u1'] } },
    ],
    [
      'a removal of an empty list',
      [{ op: 'Remove', path: 'members', value: [] }],
      { members: { add: [], remove: [] } },
    ],
    [
      "Entra ID's addition",
      [{ op: 'Add', path: 'Members', value: [{ $ref: null, value: 'u1' }] }],
      { members: { add: ['u1'], remove: [] } },
    ],
    [
      'an addition of one',
      [{ op: 'add', path: 'members', value: member('u1') }],
      { members: { add: ['u1'], remove: [] } },
    ],
    [
      'members without a path',
      [{ op: 'add', value: { members: [member('u1')] } }],
      { members: { add: ['u1'], remove: [] } },
    ],
    ['a removal of all', [{ op: 'remove', path: 'members' }], { members: { set: [] } }],
    [
      'a removal after an addition',
      [
        { op: 'add', path: 'members', value: [member('u1'), member('u2')] },
        { op: 'remove', path: 'members', value: [member('u1')] },
      ],
      { members: { add: ['u2'], remove: ['u1'] } },
    ],
    [
      'an addition after a removal',
      [
        { op: 'remove', path: 'members', value: [member('u1')] },
        { op: 'add', path: 'members', value: [member('u1')] },
      ],
      { members: { add: ['u1'], remove: [] } },
    ],
    [
      'changes after a replacement',
      [
        { op: 'replace', path: 'members', value: [member('u1'), member('u2')] },
        { op: 'remove', path: 'members[value eq "u1"]' },
        { op: 'add', path: 'members', value: [member('u3')] },
      ],
      { members: { set: ['u2', 'u3'] } },
    ],
    ['the externalId', [{ op: 'replace', path: 'externalId', value: 'e' }], { externalId: 'e' }],
    ['no externalId', [{ op: 'remove', path: 'externalId', value: 'e' }], { externalId: null }],
    ['what is not declared', [{ op: 'replace', value: { description: 'x' } }], {}],
  ])('%s', (_, operations, expected) => {
    expect(patched(...operations)).toEqual(expected);
  });

  test.each<[string, object, string]>([
    ['malformed members to remove', { op: 'Remove', path: 'members', value: [{ $ref: null }] }, 'invalidValue'],
    ['null as members to remove', { op: 'Remove', path: 'members', value: null }, 'invalidValue'],
    ['text that is no id', { op: 'Remove', path: 'members', value: 'not an id' }, 'invalidValue'],
    ['members to remove by another condition', { op: 'remove', path: 'members[type eq "User"]' }, 'invalidPath'],
    [
      'members to remove by two conditions',
      { op: 'remove', path: 'members[value eq "a" and value eq "b"]' },
      'invalidPath',
    ],
    ['members to remove by or', { op: 'remove', path: 'members[value eq "a" or value eq "b"]' }, 'invalidFilter'],
    ['a part of members', { op: 'replace', path: 'members.value', value: 'u1' }, 'invalidPath'],
    ['a member by a filter', { op: 'replace', path: 'members[value eq "u1"]', value: member('u2') }, 'invalidPath'],
    ['a nested group', { op: 'add', path: 'members', value: [{ value: 'g2', type: 'Group' }] }, 'invalidValue'],
    [
      'a nested group by its address',
      { op: 'add', path: 'members', value: [{ value: 'g2', $ref: 'https://s/Groups/g2' }] },
      'invalidValue',
    ],
    ['no name', { op: 'remove', path: 'displayName' }, 'mutability'],
    ['an empty name', { op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
    ['another id', { op: 'replace', path: 'id', value: 'g2' }, 'mutability'],
    ['a removal without a path', { op: 'remove' }, 'noTarget'],
    ['a whole schema', { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group', value: {} }, 'invalidPath'],
  ])('refuses %s', (_, operation, scimType) => {
    expect(refusal(() => patched({ op: 'add', path: 'members', value: member('u1') }, operation))).toBe(scimType);
  });
});

test('a POST of a group has a name, and members or none', () => {
  const adSchema = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
  const body = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group', adSchema],
    displayName: 'G',
    externalId: 'e',
  };
  expect(readNewGroup(body)).toEqual({ displayName: 'G', externalId: 'e', members: [] });
  expect(readNewGroup({ displayName: 'G', members: null })).toEqual({
    displayName: 'G',
    externalId: null,
    members: [],
  });
  expect(readNewGroup({ displayName: 'G', members: [member('u1')] }).members).toEqual(['u1']);
  for (const refused of [{}, { displayName: 7 }, { displayName: 'G', members: [{}] }]) {
    expect(refusal(() => readNewGroup(refused))).toBe('invalidValue');
  }
});

test('a PUT of a group keeps the members that it does not name', () => {
  const expected: [object, GroupChange][] = [
    [{ displayName: 'H' }, { displayName: 'H' }],
    [
      { displayName: 'H', members: null },
      { displayName: 'H', members: { set: [] } },
    ],
    [
      { displayName: 'H', externalId: null, id: 'g1', members: [member('u1')] },
      { displayName: 'H', externalId: null, members: { set: ['u1' as never] } },
    ],
  ];
  for (const [body, change] of expected) expect(readGroupReplacement(body)).toEqual(change);
  expect(refusal(() => readGroupReplacement({ members: [] }))).toBe('invalidValue');
});

test('a type of a member that is a deeply nested list does not overflow the stack', () => {
  const type = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  expect(patched({ op: 'add', path: 'members', value: [{ value: 'u1', type, $ref: type }] })).toEqual({
    members: { add: ['u1'], remove: [] },
  });
});
