import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'auth-service-plain-node-'));
afterAll(() => rmSync(folder, { recursive: true }));

let output: string;
beforeAll(async () => {
  const [testEnvironment, testRunner] = ['jest-environment.mjs', 'run-test-file.mjs'].map((name) =>
    join(import.meta.dirname, name),
  );
  const config = { testEnvironment, testRunner, transform: {} };
  for (const [name, text] of Object.entries({
    'jest.config.json': JSON.stringify(config),
    'package.json': '{ "type": "module" }',
    'counter.ts': 'export const counter: { value: number } = { value: 0 };',
    'one.test.ts': testFile,
    'two.test.ts': testFile,
  })) {
    writeFileSync(join(folder, name), text);
  }
  output = await runJest();
});

test('what a test file leaves behind in its modules, the environment, mocks and timers is gone in the next', () => {
  expect(output).toContain('Tests:       2 failed, 2 passed, 4 total');
  expect(output.match(/✓ starts afresh/g)).toHaveLength(2);
});

test('a failure shows its line as it stands in the test file', () => {
  expect(output).toMatch(/> 16 \| {3}expect\(counter\.value\)\.toBe\(0\);/);
  expect(output).toContain('(one.test.ts:16:25)');
  expect(output).not.toContain('?copy=');
});

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

/** In one process. */
function runJest(): Promise<string> {
  const jest = join(import.meta.dirname, '../../node_modules/jest/bin/jest.js');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', jest, '-i', '--verbose'],
      { cwd: folder },
      (_, __, stderr) => resolve(stderr),
    );
  });
}
