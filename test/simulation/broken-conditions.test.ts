import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { brokenConditions, outdatedSeed } from './broken-conditions.ts';
import { runSimulate } from './run-simulate.ts';

const each = Object.entries(brokenConditions).flatMap(([name, { check, rare }]) =>
  rare ? [] : [[name, check] as const],
);
let lines: readonly string[];

beforeAll(async () => {
  const { stdout } = await runSimulate('--break-each');
  lines = stdout.split('\n');
  const outdated = lines.filter((line) => line.endsWith(outdatedSeed));
  if (outdated.length > 0) process.stdout.write(`Seeds to correct in broken-conditions:\n${outdated.join('\n')}\n`);
});

// Without the break all of these seeds pass, which `simulation.test.ts` checks.
test.each(each)('the simulation notices that "%s" is missing, by the check %s', (name, check) => {
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^${name}: noticed by ${check} in seed \\d+(?:${outdatedSeed})?$`)),
  );
});

test.each(Object.entries(brokenConditions))('the condition "%s" is in the code once', (_, { file, text }) => {
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8').split(text)).toHaveLength(2);
});

test('a condition that is not in the code cannot be removed', async () => {
  expect((await runSimulate('--break', 'nothing')).code).toBe(1);
});
