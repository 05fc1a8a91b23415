import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { brokenConditions, outdatedSeed } from './broken-conditions.ts';
import { runSimulate, startSimulate } from './run-simulate.ts';

const each = Object.entries(brokenConditions).flatMap(([name, { check, rare }]) =>
  rare ? [] : [[name, check] as const],
);

/** What the simulation prints about each condition. Each test waits for its own line, however long all of them take. */
const lines = new Map(each.map(([name]) => [name, Promise.withResolvers<string>()]));
let child: ReturnType<typeof startSimulate>;

beforeAll(() => {
  child = startSimulate('--break-each');
  createInterface(child.stdout ?? Readable.from([])).on('line', (line) => {
    if (line.endsWith(outdatedSeed)) process.stdout.write(`To correct in broken-conditions: ${line}\n`);
    lines.get(line.slice(0, line.indexOf(':')))?.resolve(line);
  });
  child.once('exit', () => {
    for (const { resolve } of lines.values()) resolve('the simulation has ended');
  });
});

afterAll(async () => {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
});

// Without the break all of these seeds pass, which `simulation.test.ts` checks.
test.each(each)('the simulation notices that "%s" is missing, by the check %s', async (name, check) => {
  const noticed = new RegExp(`: noticed by ${check} in seed \\d+(?:${outdatedSeed})?$`);
  expect(await lines.get(name)?.promise).toMatch(noticed);
});

test.each(Object.entries(brokenConditions))('the condition "%s" is in the code once', (_, { file, text }) => {
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8').split(text)).toHaveLength(2);
});

test('a condition that is not in the code cannot be removed', async () => {
  expect((await runSimulate('--break', 'nothing')).code).toBe(1);
});
