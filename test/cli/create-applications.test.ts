import { expect, test } from '@jest/globals';
import { describeCommands } from './describe-commands.ts';

const { manage, run, fileOf } = describeCommands();
const createMany = (content: string, ...more: readonly string[]) =>
  run('apps', 'create-many', fileOf('apps.csv', content), ...more);
const get = (appId: string) => manage('iam', 'GET', `/applications/${appId}`);

test('creates the applications of a file, checks first, and leaves those alone that exist', async () => {
  const content =
    'appId,name,rolloutPercent,requireReason\nmany-a,Many A,12.5,operators\nmany-b,,,\nbilling,billing,,\n';
  const preview = await createMany(content, '--dry-run');
  expect([preview.code, preview.stdout]).toEqual([
    0,
    'Dry run, nothing was written: would create 2 applications; 1 already existed.\n',
  ]);
  expect((await get('many-a')).status).toBe(404);
  expect((await createMany(content)).stdout).toBe('Created 2 applications; 1 already existed.\n');
  expect((await get('many-a')).body).toMatchObject({
    name: 'Many A',
    rolloutPercent: 12.5,
    requireReason: 'operators',
  });
  expect((await get('many-b')).body).toMatchObject({ name: 'many-b', rolloutPercent: 100, requireReason: null });
  expect((await createMany(content)).stdout).toBe('Created 0 applications; 3 already existed.\n');
});

test('creates none if one exists with other settings, or its id was used before', async () => {
  await manage('iam', 'POST', '/applications', { body: { appId: 'many-gone', name: 'Gone' } });
  await manage('iam', 'DELETE', '/applications/many-gone');
  const { code, stderr } = await createMany('appId,name\nmany-new,New\nbilling,Another Name\nmany-gone,Gone\n');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('2 applications cannot be created. Nothing was changed.'),
  ]);
  expect(stderr).toContain('billing: exists with another name; change it with "apps update"');
  expect(stderr).toContain('many-gone: This id is taken.');
  expect((await get('many-new')).status).toBe(404);
});

test.each([
  ['an invalid id', 'appId\nNo\n', 'line 2: appId must be'],
  ['an invalid percentage', 'appId,rolloutPercent\nmany-x,101\n', 'line 2: rolloutPercent must be at most 100'],
  ['no number', 'appId,rolloutPercent\nmany-x,half\n', 'line 2: rolloutPercent must be a number'],
  ['a duplicate', 'appId\nmany-x\nmany-x\n', 'line 3: duplicate application many-x'],
  ['an unknown column', 'appId,color\nmany-x,red\n', 'Unknown: color'],
  ['no ids', 'name\nX\n', 'must have the column appId'],
])('a file with %s is refused before anything is sent', async (_, content, message) => {
  const { code, stderr } = await createMany(content);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
