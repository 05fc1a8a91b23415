import { relative } from 'node:path';
import { killProcesses, listProcesses } from './list-processes.ts';
import { missingTools } from './tools.ts';

/** The part of Jest's results that this reporter reads; Jest adds each finished file. */
interface RunResults {
  readonly startTime: number;
  readonly numTotalTestSuites: number;
  readonly testResults: readonly {
    readonly testResults: readonly TestCaseResult[];
  }[];
}

interface TestCaseResult {
  readonly status: string;
  readonly fullName: string;
}

/**
 * A test that hangs is stopped by its limit, but not a file outside its tests; and where each of a hundred tests waits for the
 * same process, their limits add up to a day.
 */
const stalledAfterMinutes = 30;

/**
 * Reports the progress of a run once a minute, each test that fails, and at the end what was skipped because a tool is not
 * installed. Ends a run in which nothing has passed for half an hour, and says which files and processes were left.
 */
export default class RunReporter {
  readonly #names: RegExp;
  #progress: NodeJS.Timeout | undefined;
  readonly #running = new Set<string>();
  #changedAt = Date.now();

  constructor({ testNamePattern = '' }: { readonly testNamePattern?: string | undefined }) {
    this.#names = new RegExp(testNamePattern, 'i');
  }

  onRunStart(results: RunResults): void {
    this.#changedAt = Date.now();
    this.#progress = setInterval(() => {
      const files = `${results.testResults.length} of ${results.numTotalTestSuites} files`;
      say([`${files}, ${minutesSince(results.startTime)} min`, ...this.#running].join(' · '));
      if (minutesSince(this.#changedAt) < stalledAfterMinutes) return;
      this.#endStalledRun();
    }, 60_000).unref();
  }

  onTestFileStart({ path }: { readonly path: string }): void {
    this.#running.add(relative('', path));
    this.#changedAt = Date.now();
  }

  onTestFileResult({ path }: { readonly path: string }): void {
    this.#running.delete(relative('', path));
    this.#changedAt = Date.now();
  }

  /** Jest shows failures when their file has ended, which may be hours later if each of its tests waits for something. */
  onTestCaseResult({ path }: { readonly path: string }, { status, fullName }: TestCaseResult): void {
    if (status === 'failed') say(`failed: ${relative('', path)} · ${fullName}`);
    else this.#changedAt = Date.now();
  }

  #endStalledRun(): never {
    const left = listProcesses();
    const lines = left.map(({ pid, parent, state, command }) => `${pid} (of ${parent}) ${state} ${command}`);
    say(
      [`Nothing has passed for ${stalledAfterMinutes} minutes. The run ends, with what was running:`, ...lines].join(
        '\n',
      ),
    );
    killProcesses(left.map(({ pid }) => pid));
    process.exit(1);
  }

  onRunComplete(_contexts: unknown, results: RunResults): void {
    clearInterval(this.#progress);
    const tools = this.#leftOut(results);
    if (tools.length === 0) return;
    // Printed after Jest's own summary, which no reporter can follow.
    process.once('exit', () =>
      say(`left out: ${tools.join(', ')}: not installed. docs/contribute/testing.md says how to install them.`),
    );
  }

  #leftOut({ testResults }: RunResults): string[] {
    const skipped = testResults.flatMap((file) => file.testResults.filter(({ status }) => status === 'pending'));
    // Tests excluded by the option -t are also skipped.
    const chosen = skipped.filter(({ fullName }) => this.#names.test(fullName));
    const needed = chosen.flatMap(({ fullName }) => /\(needs ([^)]+)\)/.exec(fullName)?.[1]?.split(', ') ?? []);
    return missingTools().filter((name) => needed.includes(name));
  }
}

function minutesSince(time: number): number {
  return Math.round((Date.now() - time) / 60_000);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
