import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

const runFile = promisify(execFile);
const bin = join(import.meta.dirname, '../../bin');
const folder = mkdtempSync(join(tmpdir(), 'auth-service-versions-'));

/** Imitates the text output of the AWS CLI: one line per page of 50 versions. */
const aws = `#!/bin/bash
if [[ -n $MEET && "$*" == *$MEET* ]]; then
  echo met >> "$0.met"
  until [ "$(wc -l < "$0.met")" -ge "$TOGETHER" ]; do sleep 0.1; ((++tries < 600)) || exit 9; done
fi
if [[ -n $REFUSE && "$*" == *$REFUSE* ]]; then echo AccessDeniedException >&2; exit 254; fi
case "$*" in
  *describe-stacks*) echo "$STATUS";;
  *list-functions*) [ -z "$ONLY" ] || { echo "$ONLY"; exit 0; }
    [ -z "$NONE" ] || exit 0; printf 'changed\\tunchanged\\n'; printf 'fresh\\tnowhere\\n';;
  *get-function-configuration*unchanged*) printf '2026-11-01T09:00:00.000+0000\\n';;
  *get-function-configuration*fresh*) printf '2026-11-20T19:05:00.000+0000\\n';;
  *get-function-configuration*) printf '2026-11-20T19:05:00.000+0000\\n';;
  *list-versions-by-function*fresh*LastModified*) printf '1\\t2026-11-20T19:05:00.000+0000\\n';;
  *list-versions-by-function*changed*LastModified*) printf '$LATEST\\t2026-11-20T19:05:00.000+0000\\n'
    for version in $(seq 57); do printf '%s\\t2026-11-01T09:00:00.000+0000\\n' $version; done
    for version in 58 59 60; do printf '%s\\t2026-11-20T19:05:00.000+0000\\n' $version; done;;
  *list-versions-by-function*fresh*) printf '$LATEST\\t1\\n';;
  *list-versions-by-function*changed*) { echo '$LATEST'; seq 49; } | paste -s; seq 50 60 | paste -s;;
  *list-versions-by-function*nowhere*) ;;
  *list-aliases*unchanged*live*) echo 3;;
  *list-aliases*fresh*live*) echo 1;;
  *list-aliases*nowhere*live*) echo None;;
  *list-aliases*unchanged*) printf '3\\t7\\n';;
  *list-aliases*) echo 58;;
  *delete-function*) echo "$*" >> "$0.calls"; echo '{ "StatusCode": 204 }';;
  *) echo "$*" >> "$0.calls";;
esac
`;

beforeAll(() => {
  writeFileSync(join(folder, 'aws'), aws);
  chmodSync(join(folder, 'aws'), 0o755);
});
beforeEach(() => {
  for (const name of ['aws.calls', 'aws.met']) rmSync(join(folder, name), { force: true });
});
const writes = () => existsSync(join(folder, 'aws.calls'));
afterAll(() => rmSync(folder, { recursive: true }));

test('rolling back a release switches only the aliases that it changed, to the previous of sixty versions', async () => {
  const { stdout, stderr } = await run('roll-back.sh', ['prod', '2026-11-20T19:00']);
  expect(stdout).toBe('changed: from version 58 to 57\n');
  expect(stderr).toContain('fresh: stays at version 1, because it has none from before 2026-11-20T19:00');
  expect(stderr).toContain('1 of 4 functions of prod were switched');
});

test('old versions are deleted, except the newest ones and those that an alias points to', async () => {
  const { stdout } = await run('prune-versions.sh', ['prod', '10']);
  const numbers = (name: string) =>
    [...stdout.matchAll(new RegExp(`^${name}: deleted version (\\d+)$`, 'gm'))]
      .map(([, number]) => Number(number))
      .sort((one, other) => one - other);
  const oldest = Array.from({ length: 50 }, (_, at) => at + 1);
  expect(numbers('changed')).toEqual(oldest);
  expect(numbers('unchanged')).toEqual(oldest.filter((number) => number !== 3 && number !== 7));
  expect(numbers('fresh')).toEqual([]);
  expect(stdout).not.toContain('StatusCode');
});

test.each(['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED'])(
  'no version is deleted while the stack is in the state %s',
  async (status) => {
    await expect(run('prune-versions.sh', ['prod'], status)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`The stack is in the state ${status}`),
    });
  },
);

test('versions are deleted at the same time', async () => {
  const { stdout } = await run('prune-versions.sh', ['prod'], 'UPDATE_COMPLETE', {
    MEET: 'delete-function',
    TOGETHER: '8',
  });
  expect(stdout).toContain('changed: deleted version 50');
});

test('the version before the released one is kept', async () => {
  await expect(run('prune-versions.sh', ['prod', '1'])).rejects.toMatchObject({ code: 1, stdout: '' });
});

describe.each([
  ['roll-back.sh', ['prod', '2026-11-20T19:00'], 'update-alias'],
  ['prune-versions.sh', ['prod', '10'], 'delete-function'],
] as const)('%s', (script, args, write) => {
  test.each(['list-aliases --function-name unchanged', 'list-versions-by-function --function-name fresh'])(
    'changes no function if AWS refuses %s for a later one',
    async (refused) => {
      const answer = run(script, args, 'UPDATE_COMPLETE', { REFUSE: refused });
      await expect(answer).rejects.toMatchObject({ stdout: '', stderr: expect.stringContaining('AccessDenied') });
      expect(writes()).toBe(false);
    },
  );

  test('reports that a stage has no functions', async () => {
    const answer = run(script, ['prd', ...args.slice(1)], 'UPDATE_COMPLETE', { NONE: 'yes' });
    await expect(answer).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('no functions') });
  });

  test('reads all functions at the same time', async () => {
    await run(script, args, 'UPDATE_COMPLETE', { MEET: 'list-aliases', TOGETHER: '4' });
    expect(writes()).toBe(true);
  });

  test('fails, and says so, if it changes nothing', async () => {
    const answer = run(script, args, 'UPDATE_COMPLETE', { ONLY: 'fresh' });
    await expect(answer).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Nothing was') });
    expect(writes()).toBe(false);
  });

  test('fails, and says that it can be repeated, if AWS refuses a change', async () => {
    const answer = run(script, args, 'UPDATE_COMPLETE', { REFUSE: write });
    await expect(answer).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/AccessDenied[\s\S]*Not every .*: run the same command again/),
    });
  });

  test('changes functions if AWS refuses nothing', async () => {
    await run(script, args);
    expect(writes()).toBe(true);
  });
});

test.each([
  ['roll-back.sh', ['prod', 'yesterday'], 'such as 2026-11-20T19:00'],
  ['roll-back.sh', ['prod', '20.11.2026 19:00'], 'such as 2026-11-20T19:00'],
  ['prune-versions.sh', ['prod', 'ten'], 'at least 2 versions'],
] as const)('%s rejects %j, and says what to pass', async (script, args, message) => {
  await expect(run(script, args)).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});

function run(script: string, args: readonly string[], status = 'UPDATE_COMPLETE', more: Record<string, string> = {}) {
  const env = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter), STATUS: status, ...more };
  return runFile('bash', [join(bin, script), ...args], { env });
}
