import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { describeStub } from '#test/cli/describe-stub.ts';
import { runHere } from '#test/cli/run-here.ts';
import { problem } from '#test/cli/stub-service.ts';
import { app } from '#test/cli/views.ts';
import { anAccess, anOperator } from '#test/support/stored-items.ts';

const { stub, place } = describeStub();
beforeEach(() => {
  stub.on('GET /applications/billing', { body: app });
});

const asOf = '2026-11-20T19:14:11.123Z';
const list = 'GET /applications/billing/review';
const mark = 'POST /applications/billing/reviews';
const run = (...args: readonly string[]) => runHere(['apps', 'review', 'billing', ...args], { cwd: place.folder });
const by = { changeId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W', at: asOf, caller: anOperator, reason: 'covers', ticket: null };

function holder(userId: string) {
  const setBy = { ...by, bulkId: null };
  return {
    ...anAccess({ userId }),
    displayName: null,
    email: null,
    statusSetBy: null,
    userStatusSetBy: null,
    lastChange: setBy,
    roles: [{ name: 'editor', expiresAt: null, grantedAt: asOf, grantedBy: setBy }],
  };
}

const pages = [
  { items: [holder('ada')], cursor: 'a', asOf, lastReview: null },
  { items: [], cursor: 'b', asOf: '2026-11-20T19:14:12.000Z', lastReview: null },
  { items: [holder('bob')], cursor: null, asOf: '2026-11-20T19:14:13.000Z', lastReview: null },
];
const marked = (laterChanges: number) => ({
  ...app,
  reviewedAt: asOf,
  reviewDueAt: '2099-01-01T00:00:00.000Z',
  laterChanges,
});

test('apps review shows all pages of the list, and how to mark it as it was when the first was read', async () => {
  stub.on(list, ...pages.map((body) => ({ body })));
  const { stdout, stderr } = await run();
  expect(stub.requests.map(({ query }) => query)).toEqual([
    '',
    'limit=100',
    'limit=100&cursor=a',
    'limit=100&cursor=b',
  ]);
  expect(stdout).toMatch(/^USER +NAME +STATUS +HOLDS +SINCE .*\nada +- +Allowed +role editor +2026-11-20 .*\nbob /);
  expect(stdout).toContain('eve (admin)');
  expect(stderr).toContain('2 users; all others: Allowed by default.\nLast review: none.\n');
  expect(stderr).toContain(`After the review: auth-service apps review billing --mark --as-of ${asOf}\n`);
});

test('apps review --json prints the whole list with when it was read', async () => {
  stub.on(list, ...pages.map((body) => ({ body })));
  const { stdout } = await run('--json');
  expect(JSON.parse(stdout)).toEqual({ asOf, lastReview: null, items: [holder('ada'), holder('bob')] });
});

test('apps review --csv writes the whole list to a file, or nothing if a page cannot be read', async () => {
  const file = join(place.folder, 'review.csv');
  stub.on(list, { body: pages[0] }, problem('application_not_found', 'gone'));
  expect((await run('--csv', file)).code).not.toBe(0);
  expect(() => readFileSync(file)).toThrow('ENOENT');
  stub.on(list, ...pages.map((body) => ({ body })));
  const { stdout, stderr } = await run('--csv', file);
  expect(stdout).toBe('');
  expect(stderr).toContain(`Written to ${file}.`);
  expect(readFileSync(file, 'utf8')).toMatch(/\r\n,ada,.*\r\n,bob,.*\r\nAll other users,/);
});

test('apps review --mark shows the list and marks it as it was when it was read', async () => {
  stub.on(list, ...pages.map((body) => ({ body })));
  stub.on(mark, { body: marked(2) });
  const { stdout, stderr } = await run('--mark', '--reason', 'quarterly', '--ticket', 'AUD-7');
  expect(stub.requests.at(-1)?.body).toEqual({ asOf, reason: 'quarterly', ticket: 'AUD-7' });
  expect(stdout).toContain('Marked the access of billing as reviewed, as of 2026-11-20');
  expect(stdout).toContain(
    '2 changes of access and roles came after the list was read: they belong to the next review.',
  );
  expect(stdout).toContain('The next review is due 2099-01-01');
  expect(stderr).not.toContain('After the review');
});

test('apps review --mark --as-of marks a list that was read earlier, without reading it again', async () => {
  stub.on(mark, { body: marked(0) });
  const { stdout } = await run('--mark', '--as-of', asOf, '--json');
  expect(stub.requests.map(({ route, body }) => [route, body])).toEqual([[mark, { asOf }]]);
  expect(JSON.parse(stdout)).toEqual(marked(0));
});

test.each([
  ['--as-of', '2h'],
  ['--reason', 'why'],
  ['--ticket', 'AUD-7'],
])('apps review refuses %s without --mark, before anything is sent', async (...option) => {
  const { code, stderr } = await run(...option);
  expect([code, stub.requests]).toEqual([2, []]);
  expect(stderr).toContain('--as-of, --reason and --ticket require --mark.');
});
