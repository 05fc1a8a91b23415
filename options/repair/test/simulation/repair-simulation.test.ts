import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { bareEnvironment } from '#test/support/environments.ts';

const program = join(import.meta.dirname, 'simulate-repair.ts');

async function simulateRepairs(first: number, seeds: number): Promise<string> {
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  const child = fork(program, [String(first), String(seeds)], {
    execArgv,
    env: bareEnvironment,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const [stdout] = await Promise.all([text(child.stdout ?? Readable.from([])), once(child, 'exit')]);
  return stdout;
}

test('a repair restores every invariant of what is stored in 200 torn takeovers, except what it names', async () => {
  const stdout = await simulateRepairs(1, 200);
  process.stdout.write(`repair: ${stdout}`);
  expect(stdout).toMatch(/^200 seeds, 1\d\d torn, 0 violations; .*member \d+.*state-behind \d+/);
});
