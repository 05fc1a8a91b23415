import { mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildDashboard } from '../../lib/operators/build-dashboard.ts';
import { makeFolder } from '../local/write-assembly.ts';

const modules = join(import.meta.dirname, '../../node_modules');

/** A project with a dashboard of one page and one script, from an hour ago. */
async function makeProject(script: string): Promise<string> {
  const project = await makeFolder();
  await symlink(modules, join(project, 'node_modules'));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  await writeSource(project, 'dashboard/index.html', '<!doctype html><script type="module" src="/main.ts"></script>');
  await writeSource(project, 'dashboard/main.ts', script);
  return project;
}

async function writeSource(project: string, name: string, text: string, minutesAgo = 60): Promise<void> {
  const file = join(project, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  const time = Date.now() / 1000 - minutesAgo * 60;
  await utimes(file, time, time);
}

async function build(project: string) {
  const warnings: string[] = [];
  const folder = await buildDashboard({ project, warn: (line) => warnings.push(line) });
  return { folder, warnings };
}

test('builds a dashboard that has no build yet', async () => {
  const project = await makeProject('document.title = "Built";');
  const folder = join(project, 'dashboard/dist');
  expect(await build(project)).toEqual({ folder, warnings: [] });
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('/assets/index-');
});

test.each(['dashboard/main.ts', 'options/colours/dashboard/page.tsx', 'options/colours/contract/words.ts'])(
  'keeps a build that is newer than its sources, and rebuilds one that is older than %s',
  async (source) => {
    const project = await makeProject('document.title = "Built";');
    const page = join(project, 'dashboard/dist/index.html');
    await mkdir(join(project, 'dashboard/dist'));
    await writeFile(page, 'kept');
    await build(project);
    expect(await readFile(page, 'utf8')).toBe('kept');
    await writeSource(project, source, 'document.title = "Changed";', -1);
    await build(project);
    expect(await readFile(page, 'utf8')).toContain('/assets/index-');
  },
);

test('a failed build says why in one line', async () => {
  const { folder, warnings } = await build(await makeProject('import "./nothing.ts";'));
  expect(folder).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(/^\S.*$/)]);
});

test('an aborted build logs no warning', async () => {
  const warnings: string[] = [];
  const project = await makeProject('document.title = "Built";');
  const options = { project, signal: AbortSignal.abort(), warn: (line: string) => warnings.push(line) };
  expect(await buildDashboard(options)).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('a project without dashboard sources has no dashboard', async () => {
  expect(await build(await makeFolder())).toEqual({ folder: undefined, warnings: [] });
});
