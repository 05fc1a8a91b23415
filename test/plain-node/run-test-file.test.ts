import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'auth-service-plain-node-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [testEnvironment, testRunner] = ['jest-environment.mjs', 'run-test-file.mjs'].map((name) =>
  join(import.meta.dirname, name),
);
const config = { testEnvironment, testRunner, transform: {} };
const jestProgram = join(import.meta.dirname, '../../node_modules/jest/bin/jest.js');
const nodeOptions = ['--disable-warning=ExperimentalWarning', jestProgram];

let output: string;
beforeAll(async () => {
  writeFiles(folder, {
    'jest.config.json': JSON.stringify(config),
    'package.json': '{ "type": "module" }',
    'counter.ts': 'export const counter: { value: number } = { value: 0 };',
    'one.test.ts': testFile,
    'two.test.ts': testFile,
  });
  output = await runJest();
});

test('what a test file leaves behind in its modules, the environment, mocks and timers is gone in the next', () => {
  expect(output).toContain('Tests:       2 failed, 2 passed, 4 total');
  expect(output.match(/✓ starts afresh/g)).toHaveLength(2);
});

test('a failure shows the original line of the test file', () => {
  expect(output).toMatch(/> 16 \| {3}expect\(counter\.value\)\.toBe\(0\);/);
  expect(output).toContain('(one.test.ts:16:25)');
  expect(output).not.toContain('?copy=');
});

test('when Jest is killed, its workers and the processes that they have started end', async () => {
  const project = mkdtempSync(join(folder, 'killed-'));
  const started = join(project, 'started');
  mkdirSync(started);
  writeFiles(project, {
    'jest.config.json': JSON.stringify(config),
    'package.json': '{ "type": "module" }',
    'one.test.ts': endless,
    'two.test.ts': endless,
  });
  const jest = spawn(process.execPath, [...nodeOptions, '--maxWorkers', '2'], { cwd: project, stdio: 'ignore' });
  const running = await eventually(
    async () => readdirSync(started).flatMap((name) => name.split('-').map(Number)),
    (pids) => pids.length === 4,
  );
  jest.kill('SIGKILL');
  const left = await eventually(
    async () => running.filter((pid) => existsSync(`/proc/${pid}`)),
    (pids) => pids.length === 0,
  );
  expect(left).toEqual([]);
});

/** Leaves a file with the ids of the worker and of the process that it starts, and goes on. */
const endless = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from '@jest/globals';

test('goes on', async () => {
  const child = spawn('sleep', ['3000']);
  writeFileSync('started/' + process.pid + '-' + child.pid, '');
  await new Promise((resolve) => child.once('exit', resolve));
});
`;

const testFile = `
import { expect, jest, test } from '@jest/globals';
import { counter } from './counter.ts';

test('starts afresh', () => {
  expect([counter.value, process.env.LEFT_BEHIND]).toEqual([0, undefined]);
  expect(['mock' in Math.max, Date.now() > 1]).toEqual([false, true]);
  counter.value += 1;
  process.env.LEFT_BEHIND = 'something';
  jest.spyOn(Math, 'max');
  jest.useFakeTimers({ now: 1 });
});

test('fails', () => {
  // On purpose.
  expect(counter.value).toBe(0);
});
`;

function writeFiles(project: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
}

/** In one process. */
function runJest(): Promise<string> {
  return new Promise((resolve) => {
    // With CI in the environment, code frames are coloured.
    const env = { ...process.env, NO_COLOR: '1' };
    execFile(process.execPath, [...nodeOptions, '-i', '--verbose'], { cwd: folder, env }, (_, __, stderr) =>
      resolve(stderr),
    );
  });
}
