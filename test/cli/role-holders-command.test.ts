import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { app, role } from './views.ts';

const { stub, place } = describeStub();
const list = (...items: readonly object[]) => ({ body: { items, cursor: null } });
const ada = { userId: 'ada', displayName: 'Ada', email: 'ada@example.com', expiresAt: null };
beforeEach(() => {
  stub.on('GET /applications', list(app, { ...app, appId: 'crm' }, { ...app, appId: 'wiki' }));
  stub.on('GET /applications/billing/roles', list({ ...role, role: 'admin' }));
  stub.on(
    'GET /applications/crm/roles',
    list({ ...role, appId: 'crm', role: 'admin' }, { ...role, appId: 'crm', role: 'reader' }),
  );
  stub.on('GET /applications/wiki/roles', list());
  stub.on('GET /applications/billing/roles/admin/users', list({ ...ada, userId: 'zoe', displayName: null }));
  stub.on('GET /applications/crm/roles/admin/users', list(ada));
});
const run = (line: string) => runHere(line.split(' '), { cwd: place.folder });

test('users list --role names who has the role in any application', async () => {
  const { code, stdout, stderr } = await run('users list --role admin');
  expect([code, stdout.split('\n').map((line) => line.split(/\s{2,}/).slice(0, 4))]).toEqual([
    0,
    [
      ['USER', 'NAME', 'EMAIL', 'APPLICATION'],
      ['ada', 'Ada', 'ada@example.com', 'crm'],
      ['zoe', '-', 'ada@example.com', 'billing'],
      [''],
    ],
  ]);
  expect(stderr).toBe('2 users with the role admin in 2 applications; defined in 2.\n');
});

test('the same list is JSON, and a file for a spreadsheet', async () => {
  const { stdout } = await run('users list --role admin --json');
  expect(JSON.parse(stdout)).toMatchObject({ role: 'admin', definedIn: ['billing', 'crm'], isComplete: true });
  const file = join(mkdtempSync(join(place.folder, 'csv-')), 'admins.csv');
  expect((await run(`users list --role admin --csv ${file}`)).stdout).toBe(
    `Wrote 2 users with the role admin in 2 applications to ${file}.\n`,
  );
  expect(readFileSync(file, 'utf8').split('\r\n').slice(1, 3)).toEqual([
    'ada,Ada,ada@example.com,crm,admin,',
    'zoe,,ada@example.com,billing,admin,',
  ]);
});

test('a role that no application has is said to be unknown', async () => {
  const { code, stderr } = await run('users list --role Admin');
  expect([code, stderr.split('\n')[1]]).toEqual([
    0,
    'No application has a role of this name. Names are case-sensitive.',
  ]);
});

test('--csv without a role is refused before anything is sent', async () => {
  expect(await run('users list --csv x.csv')).toMatchObject({ code: 2 });
  expect(stub.requests).toEqual([]);
});
