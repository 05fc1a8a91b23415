import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { runSimulate, startSimulate } from './run-simulate.ts';
import { scenarios } from './scenarios.ts';

test('all checks hold in 200 seeds of the simulation', async () => {
  const { stdout } = await runSimulate('--seeds', '200', '--workers', '2');
  process.stdout.write(`simulation: ${stdout.split('\n', 1)[0]}\n`);
  expect(stdout).toMatch(/^200 seeds, 0 failed, \d+\.\d s of CPU/);
});

test('all checks hold in every order of two writers, an eraser and a creator', async () => {
  const { stdout } = await runSimulate('--orders');
  const lines = stdout.split('\n').filter((line) => line.includes(' orders, '));
  expect(lines.filter((line) => !line.endsWith('every check holds'))).toEqual([]);
  expect(lines).toHaveLength(scenarios.filter(({ isLong = false }) => !isLong).length);
});

// Of 15 the SDK's `send` is modelled, 16 is below the SDK.
test.each(['15', '16'])('a seed always produces the same run: %s', async (seed) => {
  const digest = async () => / (\w{16}): every check holds/.exec((await runSimulate('--seed', seed)).stdout)?.[1];
  const first = await digest();
  expect(first).toBeDefined();
  expect(await digest()).toBe(first);
});

test.each(['0', '2'])('a run exits with the process that started it: %s workers', async (workers) => {
  const run = startSimulate('--seeds', '1000000', '--workers', workers);
  run.disconnect();
  expect(await once(run, 'exit')).toEqual([0, null]);
});

test('the command describes its options', async () => {
  const { stdout, code } = await runSimulate('--help');
  expect(stdout).toContain('npm run simulate -- [options]');
  expect(code).toBe(0);
});
