import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { bareEnvironment } from './environments.ts';
import RunReporter from './report-run.ts';

const project = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'auth-service-report-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a run with tests that need PHP and Ruby', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'some.test.ts'), tests);
  });

  test('skips those whose tool is missing, and reports it in its last line', async () => {
    install('ruby');
    const { code, output } = await runJest();
    expect(output.at(-1)).toBe('left out: PHP: not installed. docs/contribute/testing.md says how to install them.');
    expect([code, ...ran(output)]).toEqual([0, 'Tests:       3 skipped, 2 passed, 5 total']);
  });

  test('does not mention installed tools', async () => {
    install('ruby', 'php');
    const { code, output } = await runJest();
    expect([code, ...ran(output)]).toEqual([0, 'Tests:       5 passed, 5 total']);
    expect(output.join()).not.toContain('left out:');
  });

  test('does not mention tests that were not selected', async () => {
    install();
    const { code, output } = await runJest(['-t', 'anywhere']);
    expect([code, ...ran(output)]).toEqual([0, 'Tests:       4 skipped, 1 passed, 5 total']);
    expect(output.join()).not.toContain('left out:');
  });

  test('fails in CI, and names the missing tool', async () => {
    install('ruby');
    const { code, output } = await runJest([], { CI: 'true' });
    expect([code, ...ran(output)]).toEqual([1, 'Tests:       2 failed, 2 passed, 4 total']);
    expect(output.join('\n')).toContain('Not installed: PHP. docs/contribute/testing.md says how');
    expect(output.join()).not.toContain('left out:');
  });
});

describe('the first line of `npm test`', () => {
  const read = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [join(project, 'jest.config.mjs'), ...args]);

  test('says how long all tests take, before anything else starts', async () => {
    expect((await read()).stderr).toMatch(/^All \d{3} test files: about \d+ minutes on two quiet cores\.\n$/);
  });

  test('is absent for a run of some tests', async () => {
    expect((await read('test/shared')).stderr).toBe('');
  });
});

describe('during the run', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const outcome = (status: string) => ({ status, fullName: 'one' });

  function startRun() {
    const said: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((line) => said.push(String(line)) > 0);
    const run = { startTime: Date.now(), numTotalTestSuites: 306, testResults: [{ testResults: [] }] };
    const report = new RunReporter({});
    report.onRunStart(run);
    return { said, run, report };
  }

  test('a run reports each minute how many of its files are finished, and which are running, until the end', () => {
    const { said, run, report } = startRun();
    jest.advanceTimersByTime(60_000);
    report.onTestFileStart({ path: join(process.cwd(), 'test/some.test.ts') });
    jest.advanceTimersByTime(60_000);
    run.testResults.push({ testResults: [] });
    report.onTestFileResult({ path: join(process.cwd(), 'test/some.test.ts') });
    jest.advanceTimersByTime(60_000);
    report.onRunComplete(undefined, run);
    jest.advanceTimersByTime(60_000);
    expect(said).toEqual([
      '1 of 306 files, 1 min\n',
      '1 of 306 files, 2 min · test/some.test.ts\n',
      '2 of 306 files, 3 min\n',
    ]);
  });

  test('a run in which nothing passes for half an hour fails, and names the tests that fail and all that was running', () => {
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`ended with ${code}`);
    });
    // This process has other children, which later tests need.
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const { said, run, report } = startRun();
    jest.advanceTimersByTime(20 * 60_000);
    report.onTestFileStart({ path: join(process.cwd(), 'test/stalled.test.ts') });
    const fail = () =>
      report.onTestCaseResult({ path: join(process.cwd(), 'test/stalled.test.ts') }, outcome('failed'));
    report.onTestCaseResult({ path: join(process.cwd(), 'test/other.test.ts') }, outcome('passed'));
    const child = spawn('sleep', ['600']);
    jest.advanceTimersByTime(10 * 60_000);
    fail();
    jest.advanceTimersByTime(10 * 60_000);
    report.onTestCaseResult({ path: join(process.cwd(), 'test/other.test.ts') }, outcome('passed'));
    jest.advanceTimersByTime(20 * 60_000);
    fail();
    jest.advanceTimersByTime(9 * 60_000);
    expect(() => jest.advanceTimersByTime(60_000)).toThrow('ended with 1');
    report.onRunComplete(undefined, run);
    expect(kill.mock.calls).toContainEqual([child.pid, 'SIGKILL']);
    kill.mockRestore();
    child.kill();
    expect(said.filter((line) => line.startsWith('failed: '))).toEqual(
      Array(2).fill('failed: test/stalled.test.ts · one\n'),
    );
    expect(said.at(-2)).toContain('test/stalled.test.ts');
    expect(said.at(-1)).toContain(`\n${child.pid} (of ${process.pid}) `);
    expect(said.at(-1)).toContain('sleep 600');
  });
});

const config = {
  testEnvironment: join(project, 'test/plain-node/jest-environment.mjs'),
  testRunner: join(project, 'test/plain-node/run-test-file.mjs'),
  transform: {},
  reporters: ['default', join(project, 'test/support/report-run.ts')],
};

const tests = `
  import { beforeAll, test } from '@jest/globals';
  import { needing } from '${join(project, 'test/support/needing.ts')}';
  test('runs anywhere', () => {});
  needing('Ruby').test('runs Ruby', () => {});
  needing('PHP', 'Ruby').test('runs both', () => {});
  needing('PHP').describe('with PHP', () => {
    beforeAll(() => { if (!process.env.PATH.includes('php')) throw new Error('begun'); });
    test('one', () => {});
    test('another', () => {});
  });
`;

/** Makes only these programs available. */
function install(...programs: readonly string[]): void {
  path = join(folder, ['bin', ...programs].join('-'));
  mkdirSync(path, { recursive: true });
  for (const program of programs) writeFileSync(join(path, program), '', { mode: 0o700 });
}

let path: string;

function runJest(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const jestProgram = join(project, 'node_modules/jest/bin/jest.js');
  const options = ['--disable-warning=ExperimentalWarning', jestProgram, ...args];
  return new Promise<{ code: number; output: string[] }>((resolve) => {
    execFile(
      process.execPath,
      options,
      { cwd: folder, env: { ...bareEnvironment, PATH: path, ...env } },
      (error, _, stderr) => {
        resolve({ code: Number(error?.code ?? 0), output: stderr.trimEnd().split('\n') });
      },
    );
  });
}

function ran(output: readonly string[]): string[] {
  return output.filter((line) => line.startsWith('Tests:'));
}
