import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { synthesizeAssembly } from '#test/stack/synthesized-stack.ts';
import { withoutSettling } from '#test/support/environments.ts';
import { eventually } from '#test/support/eventually.ts';
import { runRoot } from '#test/support/run-root.ts';
import { startDynamodb } from '../../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../../local/run-stack.ts';

const lines: string[] = [];
let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
let stack: RunningStack;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  stack = await runStack({
    assembly: await synthesizeAssembly({ canary: 'on' }),
    tableName: process.env.TABLE_NAME ?? '',
    root: runRoot,
    dynamodb: dynamodb.endpoint,
    environment: withoutSettling,
    log: (line) => lines.push(line),
  });
});
afterAll(async () => {
  await stack.close();
  await dynamodb.stop();
});

const failures = () => lines.flatMap((line) => /"CanaryFailures":(\d)/.exec(line)?.[1] ?? []);

test('the canary of the local run gets a key, and finds its block at the address of the local run', async () => {
  const [canary] = [...stack.functions.values()].filter(({ environment }) => 'KEY_FUNCTION' in environment);
  expect(canary?.environment.API_URL).toBe(`${stack.url}/`);
  expect(await canary?.invoke({ source: 'aws.events' })).toMatchObject({ kind: 'result' });
  expect(
    await eventually(
      async () => failures(),
      (found) => found.length > 0,
    ),
  ).toEqual(['0']);
});
