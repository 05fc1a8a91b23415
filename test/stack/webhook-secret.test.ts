import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

const script = join(import.meta.dirname, '../../bin/rotate-webhook-secret.sh');
const scratch = mkdtempSync(join(tmpdir(), 'auth-service-webhook-'));
const state = join(scratch, 'state');
const secretOf = (version: string) => join(state, version);
const stageFile = (stage: string) => join(state, `stage-${stage}`);
const readState = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** Keeps the versions of a secret, their stages and the connection in files, and changes them as the AWS CLI would. */
const aws = `#!/bin/bash
set -e
cd "$STATE"
echo "$*" >> calls
if [[ -n $REFUSE && "$*" == *$REFUSE* ]]; then echo AccessDeniedException >&2; exit 254; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --*) name=\${1#--}; declare "\${name//-/_}=$2"; shift 2;;
    *) command="$command $1"; shift;;
  esac
done
stage_of() { cat "stage-$1" 2>/dev/null || echo None; }
case "$command" in
  *describe-stacks) case "$query" in *ConnectionName*) echo "$CONNECTION";; *) echo auth-service/webhook;; esac;;
  *list-secret-version-ids) case "$query" in *AWSPENDING*) stage_of AWSPENDING;; *) stage_of AWSCURRENT;; esac;;
  *get-secret-value) cat "$(stage_of "$version_stage")"; echo;;
  *put-secret-value) [ "$secret_string" = file:///dev/stdin ]; cat > v2; printf v2 > "stage-$version_stages";;
  *describe-connection) echo x-webhook-key;;
  *update-connection) [ "$auth_parameters" = file:///dev/stdin ]; cat > connection; [ -z "$FAIL_AFTER_CONNECTION" ];;
  *update-secret-version-stage)
    if [ -n "$move_to_version_id" ]; then printf %s "$move_to_version_id" > "stage-$version_stage"; else rm "stage-$version_stage"; fi;;
  *) echo "unknown $command" >&2; exit 1;;
esac
`;

beforeAll(() => {
  writeFileSync(join(scratch, 'aws'), aws);
  chmodSync(join(scratch, 'aws'), 0o755);
});
beforeEach(() => {
  rmSync(state, { recursive: true, force: true });
  mkdirSync(state);
  writeFileSync(secretOf('v1'), 'Bearer the-earlier-secret');
  writeFileSync(stageFile('AWSCURRENT'), 'v1');
});
afterAll(() => rmSync(scratch, { recursive: true }));

test('begin creates a new secret with the same scheme, which is not sent yet', async () => {
  await run('begin');
  expect(readState(secretOf('v2'))).toMatch(/^Bearer [0-9a-f]{64}$/);
  expect([readState(stageFile('AWSCURRENT')), readState(stageFile('AWSPENDING'))]).toEqual(['v1', 'v2']);
  expect(readState(join(state, 'connection'))).toBeUndefined();
});

test('begin does not create a third secret when repeated', async () => {
  await run('begin');
  const made = readState(secretOf('v2'));
  const { stdout } = await run('begin');
  expect([readState(secretOf('v2')), stdout]).toEqual([made, expect.stringContaining('already has a new version, v2')]);
});

test('finish sends the new secret in the same header, and makes it the current one', async () => {
  await run('begin');
  await run('finish');
  expect(JSON.parse(readState(join(state, 'connection')) ?? '')).toEqual({
    ApiKeyAuthParameters: { ApiKeyName: 'x-webhook-key', ApiKeyValue: readState(secretOf('v2')) },
  });
  expect([readState(stageFile('AWSCURRENT')), readState(stageFile('AWSPENDING'))]).toEqual(['v2', undefined]);
});

test('finish resumes after an interruption', async () => {
  await run('begin');
  await expect(run('finish', { FAIL_AFTER_CONNECTION: '1' })).rejects.toMatchObject({ code: 1 });
  expect(readState(stageFile('AWSCURRENT'))).toBe('v1');
  await run('finish');
  expect([readState(stageFile('AWSCURRENT')), readState(stageFile('AWSPENDING'))]).toEqual(['v2', undefined]);
});

test('finish requires begin, and both require a webhook', async () => {
  await expect(run('finish')).rejects.toMatchObject({ stderr: expect.stringContaining('begin first') });
  await expect(run('begin', { CONNECTION: 'None' })).rejects.toMatchObject({
    stderr: expect.stringContaining('has no webhook'),
  });
});

test.each([
  'WebhookConnectionName',
  "contains(VersionStages, 'AWSPENDING')",
  "contains(VersionStages, 'AWSCURRENT')",
  'get-secret-value',
  'describe-connection',
])('finish changes nothing if AWS refuses %s', async (refused) => {
  await run('begin');
  await expect(run('finish', { REFUSE: refused })).rejects.toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('AccessDenied'),
  });
  expect(readState(join(state, 'connection'))).toBeUndefined();
  expect([readState(stageFile('AWSCURRENT')), readState(stageFile('AWSPENDING'))]).toEqual(['v1', 'v2']);
});

test.each(['WebhookSecretName', "contains(VersionStages, 'AWSPENDING')", 'get-secret-value'])(
  'begin neither creates nor reports a secret if AWS refuses %s',
  async (refused) => {
    await expect(run('begin', { REFUSE: refused })).rejects.toMatchObject({ stdout: '' });
    expect(readState(secretOf('v2'))).toBeUndefined();
  },
);

test('an unknown step is rejected before any AWS request', async () => {
  await expect(run('end')).rejects.toMatchObject({ stderr: expect.stringContaining('must be begin or finish') });
  expect(readState(join(state, 'calls'))).toBeUndefined();
});

test('no secret is printed or passed as an argument', async () => {
  const said = [await run('begin'), await run('finish')].map(({ stdout, stderr }) => stdout + stderr).join();
  const calls = readState(join(state, 'calls')) ?? '';
  for (const version of ['v1', 'v2']) {
    const [, secret = ''] = readState(secretOf(version))?.split(' ') ?? [];
    expect([secret.length > 10, (said + calls).includes(secret)]).toEqual([true, false]);
  }
});

function run(step: string, more: Record<string, string> = {}) {
  const path = [scratch, process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, STATE: state, CONNECTION: 'WebhookConnection', ...more };
  return promisify(execFile)('bash', [script, 'prod', step], { env });
}
