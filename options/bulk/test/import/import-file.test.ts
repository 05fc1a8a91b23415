import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { maxBodyBytes } from '#shared/contract/fields.ts';
import { readImportFile } from '../../import/import-file.ts';
import { describeDifference, planImport } from '../../import/import-plan.ts';
import { importColumns } from '../../import/import-rows.ts';
import { importSample } from '../../import/import-sample.ts';

const read = (text: string) => readImportFile(Buffer.from(text));
const usersOf = (text: string) => [...read(text).users.values()];
const problemsOf = (text: string) =>
  read(text)
    .rejectedRows()
    .map(({ line, problem }) => `${line}: ${problem}`);
const end = '2027-06-30T22:00:00.000Z';

test('several rows of one user are one user', () => {
  const text = [
    'userId,email,application,access,accessUntil,role,roleUntil',
    `ada,ada@example.com,crm,disabled,${end},editor,never`,
    'ada,,crm,,,viewer,',
    'ada,,shop,enabled,,,',
    'ada,,crm,,,editor,never',
  ].join('\n');
  expect(usersOf(text)).toEqual([
    {
      userId: 'ada',
      email: 'ada@example.com',
      accesses: [
        { appId: 'crm', status: 'disabled', until: end },
        { appId: 'shop', status: 'enabled' },
      ],
      roles: [
        { appId: 'crm', role: 'editor', status: 'assigned', expiresAt: null },
        { appId: 'crm', role: 'viewer', status: 'assigned' },
      ],
    },
  ]);
});

test.each([
  ['a head with LF over rows with CRLF', 'userId,email,displayName\nzed,z@x.org,Zed One\r\n', 'Zed One'],
  ['an appended line', 'userId,email,displayName\r\nbo,b@x.org,Bo\r\nzed,z@x.org,Zed One\n', 'Zed One'],
  ['quotation marks around the end of a line', 'userId,email,displayName\nzed,z@x.org,"Zed One\r"\n', 'Zed One'],
  ['a space that the field accepts', 'userId,email,displayName\nzed,z@x.org,Zed One \r\n', 'Zed One '],
  ['JSON Lines', '{"userId":"bo"}\r{"userId":"zed","displayName":"Zed One\\r"}\r\n', 'Zed One'],
])('no end of a line becomes part of a name: %s', (_, text, displayName) => {
  const user = usersOf(text).at(-1);
  expect([user?.userId, user?.displayName]).toEqual(['zed', displayName]);
});

test('columns without a title and without a value are not columns', () => {
  expect(read('userId,email,,\nada,a@x.org,,\n').ignored).toEqual([]);
});

describe('a row is rejected', () => {
  test.each([
    ['userId,role', 'ada,editor', 'role needs a value of application'],
    ['userId,access', 'ada,disabled', 'access needs a value of application'],
    ['userId,application', 'ada,crm', 'application needs an access or a role'],
    ['userId,application,role,accessUntil', `ada,crm,editor,${end}`, 'accessUntil needs a value of access'],
    ['userId,application,access,roleStatus', 'ada,crm,disabled,revoked', 'roleStatus needs a value of role'],
    ['userId,application,access,roleUntil', `ada,crm,disabled,${end}`, 'roleUntil needs a value of role'],
    [
      'userId,application,access,accessUntil',
      `ada,crm,enabled,${end}`,
      'accessUntil is only for the access "disabled"',
    ],
    [
      'userId,application,role,roleStatus,roleUntil',
      `ada,crm,editor,revoked,${end}`,
      'roleUntil is only for the roleStatus "assigned"',
    ],
    ['userId,email', ',ada@example.com', 'userId is missing'],
    ['userId,email', 'no id,ada@example.com', expect.stringContaining('userId must be 1 to 128 of')],
    ['userId,status', 'ada,disabled', 'status must be "active" or "inactive"'],
    ['userId,application,access', 'ada,CRM,disabled', expect.stringContaining('application must be 2–40')],
    ['userId,application,access', 'ada,crm,blocked', 'access must be "enabled" or "disabled"'],
    ['userId,application,access,accessUntil', 'ada,crm,disabled,soon', expect.stringContaining('accessUntil must be')],
    ['userId,application,role', 'ada,crm,1', expect.stringContaining('role must be')],
    ['userId,application,role,roleStatus', 'ada,crm,editor,gone', 'roleStatus must be "assigned" or "revoked"'],
    ['userId,application,role,roleUntil', 'ada,crm,editor,soon', expect.stringContaining('roleUntil must be')],
  ])('%s: %s', (titles, row, problem) => {
    expect(
      read(`${titles}\n${row}\n`)
        .rejectedRows()
        .map((rejected) => rejected.problem),
    ).toEqual([problem]);
  });

  test('with the other rows of its user, if it contradicts one of them', () => {
    const text = [
      'userId,email,application,access,role,roleUntil',
      'ada,a@example.com,,,,',
      'ada,b@example.com,,,,',
      'bob,,crm,enabled,,',
      'bob,,crm,disabled,,',
      'eve,,crm,,editor,never',
      `eve,,crm,,editor,${end}`,
      'zoe,z@example.com,,,,',
    ].join('\n');
    const other = 'another row of this user has a problem';
    expect(problemsOf(text)).toEqual([
      `2: ${other}`,
      '3: email differs from that in another row of this user',
      `4: ${other}`,
      '5: access differs from that in another row of this user and application',
      `6: ${other}`,
      '7: role differs from the same role in another row of this user',
    ]);
    expect(usersOf(text).map(({ userId }) => userId)).toEqual(['zoe']);
  });

  test('with a value that is no text in JSON Lines', () => {
    expect(problemsOf('{"userId":"ada","status":true}\n{"userId":7}\n')).toEqual([
      '1: status must be a string or null',
      '2: userId must be a string or null',
    ]);
  });

  test('if its user is too large for one request', () => {
    const rows = Array.from({ length: 500 }, (_, n) => `ada,app-${n},some-role-${n}`);
    const [first, ...others] = problemsOf(`userId,application,role\n${rows.join('\n')}\n`);
    expect([first, others.length]).toEqual([
      '2: this user has too many accesses and roles: divide them into two files',
      499,
    ]);
    const fits = usersOf(`userId,application,role\n${rows.slice(0, 150).join('\n')}\n`);
    expect(JSON.stringify({ users: fits, reason: 'r'.repeat(256) }).length).toBeLessThan(maxBodyBytes);
  });
});

test('the rejected rows are a file of the same kind, with the problem that each row has', () => {
  const file = read('userId,application,role,note\nada,crm,editor,"a, b"\nada,crm,viewer,c\nbob,crm,editor,d\n');
  const problems = new Map([
    ['ada', [{ code: 'role_not_found', detail: 'No such role.', appId: 'crm', role: 'viewer' }]],
  ]);
  const rejected = file.rejectedRows(problems as never);
  const text = file.write(rejected);
  expect(text).toBe(
    '\uFEFFuserId,application,role,note,problem\r\nada,crm,editor,"a, b",another row of this user has a problem\r\nada,crm,viewer,c,No such role.\r\n',
  );
  const again = read(text);
  expect([again.rejectedRows(), again.ignored, [...again.users.keys()]]).toEqual([[], ['note'], ['ada']]);
  const lines = read('{"userId":"ada","role":null,"status":"gone"}\n');
  expect(lines.write(lines.rejectedRows())).toBe(
    '{"userId":"ada","role":null,"status":"gone","problem":"status must be \\"active\\" or \\"inactive\\""}\n',
  );
});

test('null clears names and ends in JSON Lines, and is otherwise like an empty cell', () => {
  const [user] = usersOf(
    '{"userId":"ada","email":null,"status":null,"application":"crm","access":"disabled","accessUntil":null,"roleUntil":null}',
  );
  expect(user).toEqual({
    userId: 'ada',
    email: null,
    accesses: [{ appId: 'crm', status: 'disabled', until: null }],
    roles: [],
  });
});

test('the sample has all columns, no mistake, and is that of the page', () => {
  const { users, rejectedRows } = read(importSample);
  expect([[...users.keys()], rejectedRows()]).toEqual([['ada', 'grace', 'alan'], []]);
  expect(importSample.split('\n')[0]).toBe(importColumns.join());
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/operate/command-line.md'), 'utf8');
  expect(page).toContain(`\`\`\`csv\n${importSample}\`\`\``);
});

test('only a file that describes users creates them', () => {
  const titles = ['userId', 'userId,email', 'userId,application,role', 'userId,application,role,status'];
  expect(titles.map((title) => read(`${title}\n`).creates)).toEqual([true, true, false, true]);
});

test('the differences are counted, those that give access back first, and failed users are left out', () => {
  const { users } = read('userId,status\nada,active\nbob,active\neve,active\nzoe,active\n');
  const about = { appId: 'crm', role: 'editor' };
  const plan = planImport(users, [
    { userId: 'ada', outcome: 'changed', changes: [{ effect: 'assigned', ...about }], problems: [] },
    {
      userId: 'bob',
      outcome: 'changed',
      changes: [{ effect: 'reactivated' }, { effect: 'assigned', ...about }],
      problems: [],
    },
    { userId: 'eve', outcome: 'failed', changes: [{ effect: 'created' }], problems: [{ code: 'x', detail: 'No.' }] },
    { userId: 'zoe', outcome: 'unchanged', changes: [], problems: [] },
  ] as never);
  expect(plan.differences.map(describeDifference)).toEqual([
    '1 user will be reactivated',
    '2 users will get the role editor in crm',
  ]);
  expect(plan.changing.map(({ userId }) => userId)).toEqual(['ada', 'bob']);
  expect([...plan.problems.keys()]).toEqual(['eve']);
});
