import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { problem } from './stub-service.ts';
import { change } from './views.ts';

const { stub, place } = describeStub();
beforeEach(() => {
  stub.on('POST /user-names', ({ body }) => ({ body: { items: (body as Asked).names.map(resolved) } }));
  stub.on('GET /applications', { body: { items: [{ appId: 'billing', name: 'Billing' }], cursor: null } });
});

interface Asked {
  readonly names: readonly string[];
}
const resolved = (name: string) => ({ name, users: [{ userId: name, displayName: `=${name}` }] });

const route = 'GET /changes';
const run = (...args: readonly string[]) => runHere(['history', ...args], { cwd: place.folder });
const pathOf = (file: string) => join(place.folder, file);
const formula = { ...change('2'), reason: '=HYPERLINK("https://evil.example")' };

test('history --export writes all pages as CSV without spreadsheet formulas', async () => {
  stub.on(route, { body: { items: [change('1')], cursor: 'a' } }, { body: { items: [formula], cursor: null } });
  const { code, stdout } = await run('--by', 'edith', '--export', pathOf('changes.csv'));
  expect([code, stdout]).toEqual([0, `Exported 2 changes to ${pathOf('changes.csv')}.\n`]);
  const pages = stub.requests.filter(({ route: asked }) => asked === route);
  expect(pages.map(({ query }) => query)).toEqual(['limit=100&actor=edith', 'limit=100&cursor=a&actor=edith']);
  const text = readFileSync(pathOf('changes.csv'), 'utf8');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(data.map((row) => [row.changeId, row.action, row.reason, row.userName, row.appName])).toEqual([
    ['1', 'Access changed', '', "'=ada", 'Billing'],
    ['2', 'Access changed', '\'=HYPERLINK("https://evil.example")', "'=ada", 'Billing'],
  ]);
  expect(text.startsWith('\uFEFFtime,byName,byId,byRole,action,userName,userId,')).toBe(true);
});

test('history --export writes the records of all pages as JSON, and an empty history as an empty list', async () => {
  const read = { ...change('1'), undo: 'possible' };
  stub.on(route, { body: { items: [read], cursor: 'a' } }, { body: { items: [formula], cursor: null } });
  await run('--export', pathOf('changes.json'));
  expect(JSON.parse(readFileSync(pathOf('changes.json'), 'utf8'))).toEqual([change('1'), formula]);
  stub.on(route, { body: { items: [], cursor: null } });
  const { stdout } = await run('--export', pathOf('none.JSON'), '--json');
  expect(JSON.parse(readFileSync(pathOf('none.JSON'), 'utf8'))).toEqual([]);
  expect(JSON.parse(stdout)).toEqual({ file: pathOf('none.JSON'), changes: 0 });
  expect(new Set(stub.requests.map(({ route: asked }) => asked))).toEqual(new Set([route]));
});

test('history --export prints its progress and its limits', async () => {
  const pages = Array.from({ length: 10 }, (_, n) => ({ body: { items: [change(`${n}`)], cursor: `c${n}` } }));
  stub.on(route, ...pages, { body: { items: [], cursor: null, limitedTo: ['billing'] } });
  const { stderr } = await run('--export', pathOf('long.csv'));
  expect(stderr).toMatch(/^10 changes, back to 20.* …\nLimited to billing: /);
});

test('a failed history --export keeps the existing file and leaves no partial one', async () => {
  writeFileSync(pathOf('kept.csv'), 'kept');
  stub.on(route, { body: { items: [change('1')], cursor: 'a' } }, problem('internal', 'Broken.'));
  const { code } = await run('--export', pathOf('kept.csv'));
  expect([code, readFileSync(pathOf('kept.csv'), 'utf8')]).toEqual([1, 'kept']);
  expect(readdirSync(place.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test.each([
  [['--export', 'changes.txt'], 'The file must end in .csv'],
  [['--export', '/nowhere/changes.csv'], 'Cannot write /nowhere/changes.csv: ENOENT'],
  [['--action', 'access.changed,blocked'], 'Allowed values: user.created, '],
  [['--since', 'someday'], 'It must be a duration'],
  [['--user', 'a b'], 'It must be 1 to 128 of'],
  [['--export', 'changes.csv', '--limit', '3'], 'cannot be used with'],
])('history %j is refused before anything is sent', async (args, message) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stub.requests).toEqual([]);
});

test('history continues after empty pages of a filter', async () => {
  stub.on(route, { body: { items: [], cursor: 'a' } }, { body: { items: [change('1')], cursor: 'b' } });
  const { stdout } = await run('--by', 'edith', '--json');
  expect(JSON.parse(stdout)).toEqual({ items: [change('1')], cursor: 'b' });
});

test('the subcommands of history have separate options', async () => {
  stub.on('GET /users/ada/changes', { body: { items: [], cursor: null } });
  await run('user', 'ada', '--limit', '3', '--cursor', 'c');
  expect(stub.requests.map(({ query }) => query)).toEqual(['limit=3&cursor=c']);
});
