import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';

const scratch = mkdtempSync(join(tmpdir(), 'auth-service-ci-'));
const [stubs, log] = [join(scratch, 'stubs'), join(scratch, 'log')];
afterAll(() => rmSync(scratch, { recursive: true }));

/**
 * Prints what is run, whether CI is set, and whether PHP, which this machine has, can be found. The check waits for what
 * runs beside it, if `TRIES` is set.
 */
const npm = `#!/bin/bash
echo "npm $* CI=\${CI:-} PHP=$(command -v php > /dev/null && echo found || echo hidden)" >> '${log}'
case "$*" in
  *test:packages) echo php-cli ruby;;
  *simulate*) exit "\${SEEDS:-0}";;
  'run check')
    for ((tries = \${TRIES:-0}; tries > 0; tries--)); do
      ! grep -q simulate '${log}' || ! grep -q download-only '${log}' || break
      sleep 0.05
    done
    echo checked >> '${log}'
    echo 'Tests:       3 skipped, 70 passed, 73 total'
    exit "\${CHECK:-0}";;
  *test:tools) echo 'Tests:       70 skipped, 3 passed, 73 total';;
  *test:e2e*) echo 'Tests:       4 passed, 4 total';;
esac
`;

const check = 'npm run check CI= PHP=hidden';
const seeds = 'npm run -s simulate -- --from 201 --seeds 800 CI=true PHP=found';
const apt = 'apt-get -qq -o DPkg::Lock::Timeout=600';
const install = `${apt} install -y --no-install-recommends php-cli ruby ca-certificates`;
const downloads = [`${apt} update`, `${install} --download-only`];
const tools = 'npm run test:tools CI=true PHP=found';

beforeEach(() => {
  rmSync(scratch, { recursive: true });
  mkdirSync(stubs, { recursive: true });
  cpSync(join(import.meta.dirname, '../.ci/run'), join(scratch, '.ci/run'));
  cpSync(join(import.meta.dirname, '../.ci/bare'), join(scratch, '.ci/bare'));
  const programs = {
    npm,
    php: '',
    'apt-get': `#!/bin/bash\necho "apt-get $*" >> '${log}'\n[[ $* != *--download-only ]] || exit "\${DOWNLOAD:-0}"\n`,
    sudo: '#!/bin/bash\n"$@"\n',
  };
  for (const [name, script] of Object.entries(programs)) writeFileSync(join(stubs, name), script, { mode: 0o700 });
});

function run(env: NodeJS.ProcessEnv = {}) {
  const path = [stubs, process.env.PATH].join(delimiter);
  const given = { ...process.env, PATH: path, CHROMIUM_PATH: '/usr/bin/chromium', CI: 'true', ...env };
  const { status, stdout } = spawnSync('bash', [join(scratch, '.ci/run')], { env: given, encoding: 'utf8' });
  return {
    status,
    lastLine: stdout.trimEnd().split('\n').at(-1),
    calls: readFileSync(log, 'utf8').trimEnd().split('\n'),
  };
}

test('CI checks everything on a bare machine, then installs the programs that tests need, and runs the tests left out', () => {
  const { status, calls } = run();
  expect([status, ...calls.filter((call) => ![seeds, 'checked', ...downloads].includes(call))]).toEqual([
    0,
    'npm ci --no-audit --no-fund CI= PHP=hidden',
    'npm run -s test:packages CI=true PHP=found',
    check,
    install,
    'npm ci --no-audit --no-fund --prefix .ci/nodes CI=true PHP=found',
    'npm ci --no-audit --no-fund --prefix examples/login-next CI=true PHP=found',
    'npm ci --no-audit --no-fund --prefix .ci/checks CI=true PHP=found',
    'npm ci --no-audit --no-fund --prefix .ci/typedoc CI=true PHP=found',
    tools,
    expect.stringMatching(/^npm run test:e2e /),
    expect.stringMatching(/^npm test -- test\/functions\/ .* CI=true/),
  ]);
});

test('CI runs the endpoints without the emulator last', () => {
  mkdirSync(join(scratch, 'node_modules/@dynoxide/linux-x64'), { recursive: true });
  expect(run().status).toBe(0);
  expect(existsSync(join(scratch, 'node_modules/@dynoxide'))).toBe(false);
});

test('CI downloads the programs beside the check, and installs them after it', () => {
  const { calls } = run({ TRIES: '2000' });
  expect(calls.filter((call) => call.startsWith('apt-get '))).toEqual([...downloads, install]);
  expect(calls.indexOf('checked')).toBeGreaterThan(calls.indexOf(downloads[1] ?? ''));
  expect(calls.indexOf('checked')).toBeLessThan(calls.indexOf(install));
});

test('CI runs the other seeds of the simulation beside the check', () => {
  const { calls } = run({ TRIES: '2000' });
  expect(calls.indexOf(seeds)).toBeGreaterThan(0);
  expect(calls.indexOf(seeds)).toBeLessThan(calls.indexOf('checked'));
});

test.each([
  ['a seed of the simulation fails', { SEEDS: '1' }],
  ['the programs cannot be downloaded', { DOWNLOAD: '1' }],
])('CI fails when %s, before it runs the tests left out', (_, failing) => {
  const { status, lastLine, calls } = run(failing);
  expect([status, lastLine]).toEqual([1, '70 passed, 0 failed']);
  expect(calls).not.toContain(tools);
});

test('a test that needs a missing program fails in CI, even without the CI variable', () => {
  expect(run({ CI: undefined }).calls).toContain(tools);
});

test('CI installs a browser unless one is configured', () => {
  expect(run({ CHROMIUM_PATH: undefined }).calls).toContainEqual(
    expect.stringMatching(/^apt-get .* install .* chromium /),
  );
});

test('the last line of CI has the totals of all its runs', () => {
  expect(run().lastLine).toBe('77 passed, 0 failed');
});

test('CI ends at the first run that fails, and its last line has the totals so far', () => {
  const { status, lastLine, calls } = run({ CHECK: '1' });
  expect([status, lastLine]).toEqual([1, '70 passed, 0 failed']);
  expect(calls).toContain('checked');
  expect(calls).not.toContain(install);
});
