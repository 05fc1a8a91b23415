import { expect, test } from '@jest/globals';
import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import { readTable } from '#shared/csv/read-csv.ts';
import { readPeople } from '#shared/csv/read-people.ts';
import { createUsersFile } from '../../dashboard/application/users-file.ts';
import { anAccess } from '../support/view-shapes.ts';

const user = (members: object) =>
  ({
    ...anAccess({ displayName: null, email: null, statusSetBy: null, userStatusSetBy: null }),
    ...members,
  }) as unknown as ApplicationUserView;
const caller = { kind: 'operator', via: 'token', id: '7', email: 'edith@example.com', role: 'support' };
const users = [
  user({
    userId: 'ada',
    displayName: 'Ada King',
    email: 'ada@example.com',
    effectiveStatus: 'disabled',
    status: 'disabled',
    explicit: true,
    decidedBy: 'explicit',
    reason: '=left',
    until: '2027-01-01T00:00:00.000Z',
    statusSetBy: { caller, at: '2026-11-20T00:00:00.000Z', reason: '=left' },
    roles: [
      { name: 'editor', expiresAt: null },
      { name: 'viewer', expiresAt: '2027-02-01T00:00:00.000Z' },
    ],
  }),
  user({ userId: 'bo', userStatus: 'inactive', effectiveStatus: 'disabled', decidedBy: 'user' }),
];

test("an application's users are exported with names, access in the dashboard's words, and who set it", () => {
  const [ada, bo] = readTable(createUsersFile(users)).rows.map(({ values }) => Object.fromEntries(values));
  expect(ada).toEqual({
    userId: 'ada',
    name: 'Ada King',
    email: 'ada@example.com',
    access: 'Blocked',
    'decided by': 'Setting',
    'user status': 'Active',
    setting: 'Blocked',
    'blocked until': '2027-01-01T00:00:00.000Z',
    reason: '=left',
    'set by': 'edith@example.com',
    'set at': '2026-11-20T00:00:00.000Z',
    roles: 'editor, viewer until 2027-02-01T00:00:00.000Z',
  });
  expect(bo).toMatchObject({
    name: '',
    access: 'Blocked',
    'decided by': 'User inactive',
    setting: 'Not set',
    roles: '',
  });
});

test('a text that a spreadsheet would take for a formula is prefixed, and a bulk change reads the users of the file', () => {
  const file = createUsersFile(users);
  expect(file).toContain(`,"'=left",`);
  expect(readPeople(file).flatMap(({ names }) => names)).toEqual(['ada', 'bo']);
});
