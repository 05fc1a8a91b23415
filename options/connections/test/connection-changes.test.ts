import { expect, test } from '@jest/globals';
import { describeState } from '#shared/contract/change-words.ts';
import { harmlessMembers, personalFields } from '#shared/contract/personal-fields.ts';
import { compareState } from '#shared/integrity/compare-state.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { chained } from '#test/shared/integrity/exported-changes.ts';
import { connectionFields } from '../contract/connection-fields.ts';
import { recordedConnection } from '../server/connections.ts';

const settings = {
  kind: 'scim',
  name: 'Okta',
  issuer: 'https://login.example.com',
  audience: 'gateway',
  trustsUserHeader: false,
  clients: '0oa1=wiki',
  userIdClaim: 'login',
  userIdAttribute: 'userName',
  takeover: 'none',
  applications: ['billing', 'wiki'],
  groupRoles: [{ group: 'Editors', appId: 'billing', role: 'editor' }],
};
const recorded = recordedConnection(settings as never);
const members = Object.keys(recorded);

test('what Changes record of a connection contains each of its fields', () => {
  expect(members).toEqual(expect.arrayContaining(Object.keys(connectionFields)));
});

test.each(members)('a redacted Change keeps %s, which identifies nobody', (name) => {
  expect([harmlessMembers.has(name), personalFields.has(name)]).toEqual([true, false]);
  expect(redactChange({ ...chained, after: { [name]: 'shown' } })).toMatchObject({ after: { [name]: 'shown' } });
});

function differences(stored: object): string[] {
  const last = { id: '01K00000000000000000000001', action: 'connection.updated', connectionId: 'okta' };
  const subjects = new Map([['connection okta', { last, isDeleted: false, isWhole: false, state: { ...recorded } }]]);
  const item = { sk: 'CONNECTION', connectionId: 'okta', ...settings, ...stored };
  return compareState({ subjects, discontinuities: [] }, [item], new Date()).differences.map(({ detail }) => detail);
}

test('a stored connection is what its Changes say', () => {
  expect(differences({})).toEqual([]);
});

test.each(members)('another %s than its Changes say is found', (name) => {
  const other = name === 'applications' ? ['crm'] : name === 'groupRoles' ? [] : 'other';
  expect(differences({ [name]: other })).toEqual(
    // Only a directory has groups.
    name === 'kind'
      ? [expect.stringMatching(/^groupRoles is /), expect.stringMatching(/^kind is /)]
      : [expect.stringMatching(new RegExp(`^${name} is `))],
  );
});

test('a state in words names the roles of groups', () => {
  expect(describeState(recorded, String)).toContain('Roles of groups: Editors: editor of billing');
});
