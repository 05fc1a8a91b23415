import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { page } from './sent-request.ts';
import { access, app, change, user } from './views.ts';

const { stub, place } = describeStub();

describe('a list', () => {
  test('says how to see more', async () => {
    stub.on('GET /applications', { body: { items: [app], cursor: 'abc' } });
    const { stderr } = await runHere(['apps', 'list'], { cwd: place.folder });
    expect(stderr).toBe('More items exist: add --all. The next page: auth-service apps list --cursor abc\n');
  });

  test('of applications is searched by each word, ignoring case and accents, and written as a file', async () => {
    stub.on('GET /applications', {
      body: { items: [app, { ...app, appId: 'crm', name: 'Café Müller' }], cursor: null },
    });
    const found = await runHere(['apps', 'list', '--search', 'CAFE mul', '--json'], { cwd: place.folder });
    expect(JSON.parse(found.stdout).items).toMatchObject([{ appId: 'crm' }]);
    const file = join(place.folder, 'apps.csv');
    const { stdout } = await runHere(['apps', 'list', '--csv', file], { cwd: place.folder });
    expect(stdout).toBe(`Wrote 2 applications to ${file}.\n`);
    expect(readFileSync(file, 'utf8')).toMatch(/^\uFEFFappId,name,rolloutPercent,.*\r\nbilling,Billing,100,/);
  });

  test('without items says so on stderr, and prints nothing', async () => {
    stub.on('GET /applications', { body: { items: [], cursor: null } });
    const { stdout, stderr } = await runHere(['apps', 'list'], { cwd: place.folder });
    expect([stdout, stderr]).toEqual(['', 'No items.\n']);
  });

  test.each([
    [['billing', 'crm'], 'Limited to billing, crm: your operator roles do not cover other applications.\nNo items.\n'],
    [[], 'Limited to no application: your operator roles do not cover other applications.\nNo items.\n'],
  ])('says to which applications it is limited: %j', async (limitedTo, said) => {
    stub.on('GET /applications', { body: { items: [], cursor: null, limitedTo } });
    expect((await runHere(['apps', 'list'], { cwd: place.folder })).stderr).toBe(said);
  });

  test('with --all contains every page, with --json as one item per line', async () => {
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
  expect(stderr).toBe('Continue later with: auth-service history app billing --json --after b\n');
});

test('users find continues after pages without a match', async () => {
  stub.on('GET /users', { body: { items: [], cursor: 'a' } }, { body: { items: [user], cursor: 'b' } });
  const { stdout } = await runHere(['users', 'find', 'ada', 'love', '--json'], { cwd: place.folder });
  expect(stub.requests.map(({ query }) => query)).toEqual(['q=ada%20love', 'cursor=a&q=ada%20love']);
  expect(JSON.parse(stdout)).toEqual({ items: [user], cursor: 'b' });
});
