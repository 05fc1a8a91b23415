import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { formatTime } from '../../cli/terminal/format-time.ts';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';
import { problem, type StubService, startStub } from './stub-service.ts';
import { access, app, change, key, role, user } from './views.ts';

let stub: StubService;
let place: ReturnType<typeof makeStubFolder>;
beforeAll(async () => {
  stub = await startStub();
  place = makeStubFolder(stub.url);
});
beforeEach(() => stub.reset());
afterAll(async () => {
  place.remove();
  await stub.close();
});

const page = (item: unknown) => ({ items: [item], cursor: null });
const operator = {
  ...{ id: 'arn:aws:iam::111122223333:user/edith', via: 'iam', email: null },
  roles: [
    { role: 'viewer', appId: null },
    { role: 'support', appId: 'billing' },
  ],
};
const keyId = key.keyId;
const issuedBy = { via: 'token', id: 'edith', email: 'edith@example.com' };
const listedKey = { ...key, label: 'Backend', issuedBy, appId: 'billing', applicationName: 'Billing' };
const until = '2099-01-31T12:00:00.000Z';

describe('each command sends its signed request and prints the outcome', () => {
  test.each<[command: string, route: string, rest: { query?: string; body?: unknown }, answer: unknown, said: string]>([
    [
      'apps create billing Billing',
      'POST /applications',
      { body: { appId: 'billing', name: 'Billing' } },
      app,
      'Created the application billing.',
    ],
    ['apps create billing', 'POST /applications', { body: { appId: 'billing', name: 'billing' } }, app, 'Created'],
    [
      'apps create billing --rollout 0',
      'POST /applications',
      { body: { appId: 'billing', name: 'billing', rolloutPercent: 0 } },
      { ...app, rolloutPercent: 0 },
      'Created',
    ],
    ['apps list --limit 5', 'GET /applications', { query: 'limit=5' }, page(app), 'billing      Billing  100 %'],
    [
      'whoami',
      'GET /operator',
      {},
      operator,
      'user/edith\nroles       viewer, support of billing\ndeployment  local, ',
    ],
    ['apps show billing', 'GET /applications/billing', {}, app, 'rollout      100 %'],
    [
      'apps show billing',
      'GET /applications/billing',
      {},
      { ...app, requestsPerSecond: 200 },
      'limit        200 requests per second',
    ],
    [
      'apps update billing --requests-per-second 200',
      'PATCH /applications/billing',
      { body: { requestsPerSecond: 200 } },
      app,
      'Updated the application billing.',
    ],
    [
      'apps update billing --requests-per-second none --name New',
      'PATCH /applications/billing',
      { body: { name: 'New', requestsPerSecond: null } },
      app,
      'Updated',
    ],
    ['apps rename billing New', 'PATCH /applications/billing', { body: { name: 'New' } }, app, 'Renamed'],
    ['keys issue billing', 'POST /applications/billing/keys', { body: {} }, key, 'secret   svs_test'],
    ['keys list billing --cursor c+', 'GET /applications/billing/keys', { query: 'cursor=c%2B' }, page(key), 'active'],
    [
      'keys issue billing --label Backend',
      'POST /applications/billing/keys',
      { body: { label: 'Backend' } },
      { ...key, label: 'Backend' },
      'label    Backend',
    ],
    ['keys list', 'GET /keys', {}, page(listedKey), 'svk_k1_billing_01  billing      Backend  active'],
    [
      'keys list --ends-within 30d --unused-for 4w --state active',
      'GET /keys',
      { query: 'state=active&endsWithin=PT2592000S&unusedFor=PT2419200S' },
      page(listedKey),
      'edith@example.com',
    ],
    [
      `keys label billing ${keyId} Backend`,
      `PATCH /applications/billing/keys/${keyId}`,
      { body: { label: 'Backend' } },
      key,
      'Labelled',
    ],
    [
      `keys rotate billing ${keyId}`,
      `POST /applications/billing/keys/${keyId}/rotate`,
      { body: { overlap: 'PT86400S' } },
      key,
      'svs_test',
    ],
    [
      `keys rotate billing ${keyId} --overlap 2h`,
      `POST /applications/billing/keys/${keyId}/rotate`,
      { body: { overlap: 'PT7200S' } },
      key,
      'svs_test',
    ],
    [
      `keys rotate billing ${keyId} --overlap 0s --expires 2099-01-31T12:00:00Z`,
      `POST /applications/billing/keys/${keyId}/rotate`,
      { body: { overlap: 'PT0S', expiresAt: '2099-01-31T12:00:00.000Z' } },
      key,
      'svs_test',
    ],
    [`keys revoke billing ${keyId}`, `DELETE /applications/billing/keys/${keyId}`, {}, key, 'Revoked'],
    [
      'roles define billing editor',
      'PUT /applications/billing/roles/editor',
      { body: { description: null } },
      role,
      'Defined',
    ],
    [
      'roles define billing editor --description x',
      'PUT /applications/billing/roles/editor',
      { body: { description: 'x' } },
      { ...role, changed: false },
      'No change.',
    ],
    ['roles list billing', 'GET /applications/billing/roles', {}, page(role), 'editor'],
    ['roles show billing editor', 'GET /applications/billing/roles/editor', {}, role, 'role         editor'],
    [
      'roles members billing editor',
      'GET /applications/billing/roles/editor/users',
      {},
      page({ userId: 'ada', expiresAt: null }),
      'ada',
    ],
    [
      'users create ada --name Ada --email a@b.cd',
      'PUT /users/ada',
      { body: { displayName: 'Ada', email: 'a@b.cd' } },
      user,
      'Created the user ada.',
    ],
    [
      'users list --prefix a+ --status inactive',
      'GET /users',
      { query: 'prefix=a%2B&status=inactive' },
      page(user),
      'Ada Lovelace',
    ],
    ['users find ada', 'GET /users', { query: 'q=ada' }, page(user), 'Ada Lovelace'],
    [
      'users find ada love --status active --limit 5',
      'GET /users',
      { query: 'limit=5&q=ada%20love&status=active' },
      page(user),
      'Ada Lovelace',
    ],
    [
      'users reindex --cursor c+',
      'POST /search-index',
      { query: 'limit=100&cursor=c%2B' },
      { checked: 3, changed: 2, cursor: null },
      'Checked 3 users, repaired 2.',
    ],
    ['users show a|b', 'GET /users/a%7Cb', {}, user, 'status   active'],
    [
      'users update ada --name Ada --no-email',
      'PATCH /users/ada',
      { body: { displayName: 'Ada', email: null } },
      user,
      'Changed',
    ],
    [
      'users set-status ada inactive --reason left',
      'PUT /users/ada/status',
      { body: { status: 'inactive', reason: 'left' } },
      user,
      'The user ada is now inactive.',
    ],
    [
      'access show ada',
      'GET /users/ada/access',
      {},
      page(access),
      'billing      disabled  explicit    -      editor  card stolen',
    ],
    [
      'access show ada billing',
      'GET /users/ada/access',
      { query: 'limit=100' },
      page(access),
      'access       denied: disabled in this application',
    ],
    [
      'access list billing --status disabled',
      'GET /applications/billing/users',
      { query: 'status=disabled' },
      page({ ...access, displayName: null, email: null, statusSetBy: null, userStatusSetBy: null }),
      'ada',
    ],
    [
      'access list billing --effective-status disabled --why user',
      'GET /applications/billing/users',
      { query: 'effectiveStatus=disabled&decidedBy=user' },
      page({
        ...{ ...access, userStatus: 'inactive', decidedBy: 'user', displayName: 'Ada King', email: null },
        statusSetBy: null,
        userStatusSetBy: {
          ...{ changeId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W', at: '2026-11-20T19:14:11.123Z', reason: 'left' },
          caller: { kind: 'operator', via: 'token', role: 'admin', id: 'sub-1', email: 'ops@example.com' },
        },
      }),
      'ops@example.com',
    ],
    [
      `access set ada billing disabled --reason r --until ${until}`,
      'PUT /users/ada/access/billing',
      { body: { status: 'disabled', reason: 'r', until } },
      access,
      'change       01KB3ZC4N7Z3QF4V6E5T8S9R2W',
    ],
    [
      'access set ada billing enabled',
      'PUT /users/ada/access/billing',
      { body: { status: 'enabled' } },
      { ...access, changed: false },
      'No change.',
    ],
    [
      `grants assign ada billing editor --expires ${until}`,
      'PUT /users/ada/roles/billing/editor',
      { body: { expiresAt: until } },
      access,
      'Assigned editor to ada.',
    ],
    [
      'grants revoke ada billing editor',
      'DELETE /users/ada/roles/billing/editor',
      {},
      access,
      'Revoked editor from ada.',
    ],
    [
      'history --by edith --action access.changed,key.issued --app billing --user a|b --limit 3',
      'GET /changes',
      { query: 'limit=3&actor=edith&action=access.changed%2Ckey.issued&appId=billing&userId=a%7Cb' },
      page(change('1')),
      'access.changed',
    ],
    [
      'history --since 2026-11-01T00:00:00Z --until 2026-11-02T00:00:00+01:00',
      'GET /changes',
      { query: 'since=2026-11-01T00%3A00%3A00.000Z&until=2026-11-01T23%3A00%3A00.000Z' },
      page(change('1')),
      'access.changed',
    ],
    [
      'history reindex --cursor c+',
      'POST /history-index',
      { query: 'limit=100&cursor=c%2B' },
      { checked: 3, changed: 2, cursor: null },
      'Checked 3 changes, added 2 to the global history.',
    ],
    ['history user ada', 'GET /users/ada/changes', {}, page(change('1')), 'status enabled → disabled'],
    [
      'history user ada',
      'GET /users/ada/changes',
      {},
      page(change('01KB3ZC4N7Z3QF4V6E5T8S9R2W')),
      '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
    ],
    [
      'history undo ada 01KB3ZC4N7Z3QF4V6E5T8S9R2W',
      'POST /users/ada/changes/01KB3ZC4N7Z3QF4V6E5T8S9R2W/undo',
      {},
      { userId: 'ada', appId: 'billing', changed: true, changeId: '01KB3ZD1T6H8J2K4M6N8P0Q2R4', version: 4 },
      'Undone by the change 01KB3ZD1T6H8J2K4M6N8P0Q2R4.',
    ],
    ['history app billing', 'GET /applications/billing/changes', {}, page(change('1')), 'access.changed'],
  ])('%s', async (command, route, { query = '', body }, answer, said) => {
    stub.on(route, { body: answer });
    const { code, stdout } = await runHere(command.split(' '), { cwd: place.folder });
    const idempotencyKey = route.startsWith('GET ') ? undefined : expect.stringMatching(/^"[0-9a-f-]{36}"$/);
    expect(stub.requests).toEqual([{ route, query, body, fault: undefined, date: expect.any(String), idempotencyKey }]);
    expect(stdout).toContain(said);
    expect(code).toBe(0);
  });

  test('keys issue sends scopes and end', async () => {
    stub.on('POST /applications/billing/keys', { status: 201, body: key });
    const args = ['keys', 'issue', 'billing', '--scope', 'access:write', '--scope', 'access:read', '--expires', until];
    await runHere(args, { cwd: place.folder });
    expect(stub.requests[0]?.body).toEqual({ scopes: ['access:write', 'access:read'], expiresAt: until });
  });
});

describe('with --json the response is printed unchanged', () => {
  test.each([
    ['apps show billing', 'GET /applications/billing', { ...app, added: 'later' }],
    ['apps list', 'GET /applications', { items: [app], cursor: 'next' }],
    ['access set ada billing enabled', 'PUT /users/ada/access/billing', access],
    ['keys issue billing', 'POST /applications/billing/keys', key],
  ])('%s', async (command, route, answer) => {
    stub.on(route, { body: answer });
    const { stdout } = await runHere([...command.split(' '), '--json'], { cwd: place.folder });
    expect(JSON.parse(stdout)).toEqual(answer);
  });
});

describe('the secret of a key', () => {
  test('is alone on stdout with --quiet, and the warning on stderr', async () => {
    stub.on('POST /applications/billing/keys', { status: 201, body: key });
    const { stdout, stderr } = await runHere(['keys', 'issue', 'billing', '--quiet'], { cwd: place.folder });
    expect(stdout).toBe('svs_test\n');
    expect(stderr).toBe(`Save the secret of ${keyId} now: it is shown only once and cannot be read again.\n`);
  });

  test('of a rotated key is shown with the expiry of the old one', async () => {
    stub.on(`POST /applications/billing/keys/${keyId}/rotate`, { status: 201, body: key });
    const args = ['keys', 'rotate', 'billing', keyId, '--overlap', '1h', '--quiet'];
    const { stdout, stderr } = await runHere(args, { cwd: place.folder });
    expect(stdout).toBe('svs_test\n');
    expect(stderr).toContain(`The old key expires at ${formatTime('2026-11-20T20:14:11.123Z')}`);
  });

  test('and the credentials are never in what --debug says', async () => {
    stub.on('POST /applications/billing/keys', { status: 201, body: key });
    const { stderr } = await runHere(['keys', 'issue', 'billing', '--debug'], { cwd: place.folder });
    expect(stderr).toMatch(/^POST http:\S+\/api\/manage\/applications\/billing\/keys 201 \d+ ms$/m);
    expect(stderr).not.toMatch(/svs_test|test-secret|AKIATEST|AWS4/);
  });
});

describe('a list', () => {
  test('says how to see more', async () => {
    stub.on('GET /applications', { body: { items: [app], cursor: 'abc' } });
    const { stderr } = await runHere(['apps', 'list'], { cwd: place.folder });
    expect(stderr).toBe('More items exist: add --all, or --cursor abc\n');
  });

  test('of nothing says so, and prints nothing', async () => {
    stub.on('GET /applications', { body: { items: [], cursor: null } });
    const { stdout, stderr } = await runHere(['apps', 'list'], { cwd: place.folder });
    expect([stdout, stderr]).toEqual(['', 'No items.\n']);
  });

  test.each([
    [['billing', 'crm'], 'Limited to billing, crm: your operator role does not include others.\nNo items.\n'],
    [[], 'Limited to no application: your operator role does not include others.\nNo items.\n'],
  ])('says to which applications it is limited: %j', async (limitedTo, said) => {
    stub.on('GET /applications', { body: { items: [], cursor: null, limitedTo } });
    expect((await runHere(['apps', 'list'], { cwd: place.folder })).stderr).toBe(said);
  });

  test('with --all has every page, for programs one item per line', async () => {
    const pages = [
      { items: [app], cursor: 'a' },
      { items: [], cursor: 'b' },
      { items: [{ ...app, appId: 'wiki' }], cursor: null },
    ];
    stub.on('GET /applications', ...pages.map((body) => ({ body })));
    const { stdout } = await runHere(['apps', 'list', '--all', '--json'], { cwd: place.folder });
    expect(stub.requests.map(({ query }) => query)).toEqual(['limit=100', 'limit=100&cursor=a', 'limit=100&cursor=b']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).appId),
    ).toEqual(['billing', 'wiki']);
  });
});

describe('colours', () => {
  const colours = async (options: { tty?: boolean; env?: NodeJS.ProcessEnv }) => {
    stub.on('GET /users/ada/access', { body: page(access) });
    const { stdout } = await runHere(['access', 'show', 'ada'], { cwd: place.folder, ...options });
    return stdout.includes('\u001b[31mdisabled');
  };

  test('are for terminals, without NO_COLOR', async () => {
    expect(await colours({ tty: true })).toBe(true);
    expect(await colours({ tty: true, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await colours({ tty: false, env: { FORCE_COLOR: '1' } })).toBe(false);
  });
});

test('access show finds an application on a later page', async () => {
  const other = { ...access, appId: 'archive' };
  stub.on('GET /users/ada/access', { body: { items: [other], cursor: 'a' } }, { body: page(access) });
  const found = await runHere(['access', 'show', 'ada', 'billing', '--json'], { cwd: place.folder });
  expect(JSON.parse(found.stdout)).toEqual(access);
  const missing = await runHere(['access', 'show', 'ada', 'wiki'], { cwd: place.folder });
  expect(missing).toMatchObject({ code: 4, stderr: 'error: There is no application wiki.\n' });
});

test('history app --after reads forward to the end and says where to continue', async () => {
  const answers = [
    { items: [change('1')], cursor: 'a' },
    { items: [change('2')], cursor: 'b' },
    { items: [], cursor: 'b' },
  ];
  stub.on('GET /applications/billing/changes', ...answers.map((body) => ({ body })));
  const args = ['history', 'app', 'billing', '--after', '', '--json'];
  const { stdout, stderr } = await runHere(args, { cwd: place.folder });
  expect(stub.requests.map(({ query }) => query)).toEqual([
    'after=&limit=100',
    'after=a&limit=100',
    'after=b&limit=100',
  ]);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['1', '2']);
  expect(stderr).toBe('Continue later with --after b\n');
});

test('users find continues after pages without a match', async () => {
  stub.on('GET /users', { body: { items: [], cursor: 'a' } }, { body: { items: [user], cursor: 'b' } });
  const { stdout } = await runHere(['users', 'find', 'ada', 'love', '--json'], { cwd: place.folder });
  expect(stub.requests.map(({ query }) => query)).toEqual(['q=ada%20love', 'cursor=a&q=ada%20love']);
  expect(JSON.parse(stdout)).toEqual({ items: [user], cursor: 'b' });
});

describe('users reindex', () => {
  const route = 'POST /search-index';

  test('repairs all users page by page, and prints its progress', async () => {
    const pages = Array.from({ length: 11 }, (_, n) => ({ checked: 100, changed: n, cursor: `c${n}` }));
    const bodies = [...pages, { checked: 7, changed: 0, cursor: null }];
    stub.on(route, ...bodies.map((body) => ({ body })));
    const { stdout, stderr, code } = await runHere(['users', 'reindex', '--json'], { cwd: place.folder });
    expect(stub.requests.map(({ query }) => query)).toEqual(
      [undefined, ...pages.map(({ cursor }) => cursor)].map((cursor) =>
        cursor === undefined ? 'limit=100' : `limit=100&cursor=${cursor}`,
      ),
    );
    expect([code, JSON.parse(stdout)]).toEqual([0, { checked: 1107, changed: 55 }]);
    expect(stderr).toBe(`Deployment: local, ${stub.url}\nChecked 1,000 users, repaired 45. Continuing …\n`);
  });

  test('says how to continue after a failure', async () => {
    stub.on(route, { body: { checked: 100, changed: 1, cursor: 'abc' } }, problem('internal', 'Broken.'));
    const { stderr, code } = await runHere(['users', 'reindex'], { cwd: place.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Continue with: users reindex --cursor abc')]);
  });
});
