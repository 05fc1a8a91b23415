import { expect, test } from '@jest/globals';
import { userIdAttributes } from '#options/connections/contract/connection-fields.ts';
import { groupRolesOf } from '#options/connections/contract/group-roles.ts';
import { groupRolesText } from '#options/connections/contract/group-roles-text.ts';
import { describeState } from '#shared/contract/change-words.ts';
import { setupGuides } from '../contract/directory-setup.ts';

const fieldsOf = (options: Parameters<typeof setupGuides>[0]) =>
  setupGuides(options).map(({ steps }) => steps.flatMap(({ fields }) => fields));

test.each(userIdAttributes)('with %s as the user ID, exactly that field of each directory says so', (attribute) => {
  const guides = fieldsOf({ apiUrl: 'https://api.example.com', userIdAttribute: attribute });
  const named = guides.map((fields) =>
    fields.filter(({ note }) => note?.startsWith('Becomes the user ID.')).map(({ field }) => field),
  );
  const inEntra = attribute === 'email' ? 'emails[type eq "work"].value' : attribute;
  expect(named).toEqual([[attribute], [inEntra]]);
});

test('without a user ID no field says it', () => {
  const notes = fieldsOf({ apiUrl: 'https://api.example.com' }).flat();
  expect(notes.filter(({ note }) => note?.includes('Becomes the user ID'))).toEqual([]);
});

test('the addresses have one slash before the path, also if the URL of the API ends in one', () => {
  const [okta, entra] = fieldsOf({ apiUrl: 'https://api.example.com/' });
  expect(okta?.[0]?.value).toBe('https://api.example.com/scim/v2');
  expect(entra?.[0]?.value).toBe('https://api.example.com/scim/v2?aadOptscim062020');
});

test('no field contains a token, because only the answer that issues it does', () => {
  const tokens = fieldsOf({ apiUrl: 'https://api.example.com' }).map((fields) =>
    fields.filter(({ enter }) => enter === 'token').map(({ value }) => value),
  );
  expect(tokens).toEqual([['Bearer token'], ['Bearer token']]);
});

test('a Change shows the mapping of groups in words', () => {
  const mapping = groupRolesOf('[["Editors","wiki","editor"],["Readers","billing","viewer"]]');
  const words = (groupRoles: typeof mapping) => describeState({ groupRoles: groupRolesText(groupRoles) }, String);
  expect(words(mapping)).toBe('Roles of groups: Editors: editor of wiki, Readers: viewer of billing');
  expect(words([])).toBe('Roles of groups: none');
});
