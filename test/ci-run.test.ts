import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';

const scratch = mkdtempSync(join(tmpdir(), 'auth-service-ci-'));
const [stubs, log] = [join(scratch, 'stubs'), join(scratch, 'log')];
afterAll(() => rmSync(scratch, { recursive: true }));

/** Prints what is run, whether CI is set, and whether PHP, which this machine has, can be found. */
const npm = `#!/bin/bash
echo "npm $* CI=\${CI:-} PHP=$(command -v php > /dev/null && echo found || echo hidden)" >> '${log}'
case "$*" in
  *test:packages) echo php-cli ruby;;
  *simulate*) exit "\${SEEDS:-0}";;
  'run check') echo 'Tests:       3 skipped, 70 passed, 73 total'; exit "\${CHECK:-0}";;
  *test:tools) echo 'Tests:       70 skipped, 3 passed, 73 total';;
  *test:e2e*) echo 'Tests:       4 passed, 4 total';;
esac
`;

const seeds = 'npm run -s simulate -- --from 501 --seeds 1500 CI=true PHP=found';

beforeEach(() => {
  rmSync(scratch, { recursive: true });
  mkdirSync(stubs, { recursive: true });
  cpSync(join(import.meta.dirname, '../.ci/run'), join(scratch, '.ci/run'));
  cpSync(join(import.meta.dirname, '../.ci/bare'), join(scratch, '.ci/bare'));
  const programs = {
    npm,
    php: '',
    'apt-get': `#!/bin/bash\necho "apt-get $*" >> '${log}'\n`,
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
  expect([status, ...calls.filter((call) => call !== seeds)]).toEqual([
    0,
    'npm ci --no-audit --no-fund CI= PHP=hidden',
    'npm run check CI= PHP=hidden',
    'npm run -s test:packages CI=true PHP=found',
    'apt-get update -qq',
    'apt-get install -y -qq --no-install-recommends php-cli ruby ca-certificates',
    'npm ci --no-audit --no-fund --prefix .ci/nodes CI=true PHP=found',
    'npm run test:tools CI=true PHP=found',
    expect.stringMatching(/^npm run test:e2e /),
  ]);
});

test('CI runs the other seeds of the simulation while it installs programs', () => {
  const { calls } = run();
  const at = calls.indexOf(seeds);
  expect(at).toBeGreaterThan(calls.indexOf('npm run check CI= PHP=hidden'));
  expect(at).toBeLessThan(calls.indexOf('npm run test:tools CI=true PHP=found'));
});

test('CI fails when a seed of the simulation does, before it runs the tests left out', () => {
  const { status, lastLine, calls } = run({ SEEDS: '1' });
  expect([status, lastLine]).toEqual([1, '70 passed, 0 failed']);
  expect(calls).not.toContain('npm run test:tools CI=true PHP=found');
});

test('a test that needs a missing program fails in CI, even without the CI variable', () => {
  expect(run({ CI: undefined }).calls).toContain('npm run test:tools CI=true PHP=found');
});

test('CI installs a browser unless one is configured', () => {
  expect(run({ CHROMIUM_PATH: undefined }).calls).toContainEqual(
    expect.stringMatching(/^apt-get install .* chromium /),
  );
});

test('the last line of CI has the totals of all its runs', () => {
  expect(run().lastLine).toBe('77 passed, 0 failed');
});

test('CI ends at the first run that fails, and its last line has the totals so far', () => {
  const { status, lastLine, calls } = run({ CHECK: '1' });
  expect([status, lastLine]).toEqual([1, '70 passed, 0 failed']);
  expect(calls.at(-1)).toBe('npm run check CI= PHP=hidden');
});
