import { expect, test } from '@jest/globals';
import { brokenConditions } from './broken-conditions.ts';
import { runSimulate } from './run-simulate.ts';

const each = Object.entries(brokenConditions).flatMap(([name, { check, rare }]) =>
  rare ? [] : [[name, check] as const],
);

// Without the break all of these seeds hold, which is tested beside this.
test.each(each)(
  'the simulation notices that "%s" is missing, by the check %s',
  async (name, check) => {
    const { stdout, code } = await runSimulate('--break', name, '--check', check, '--seeds', '2000', '--workers', '0');
    expect(code).toBe(1);
    expect(stdout).toContain(`FAILED ${check}: `);
  },
  300_000,
);

test('a condition that does not stand in the code cannot be taken out', async () => {
  expect((await runSimulate('--break', 'nothing')).code).toBe(1);
});
