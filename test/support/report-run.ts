import { missingTools } from './tools.ts';

/** The part of Jest's results that this reporter reads; Jest adds each finished file. */
interface RunResults {
  readonly startTime: number;
  readonly numTotalTestSuites: number;
  readonly testResults: readonly {
    readonly testResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Reports the progress of a run once a minute, and at its end what was skipped because a tool is not installed. */
export default class RunReporter {
  readonly #names: RegExp;
  #progress: NodeJS.Timeout | undefined;

  constructor({ testNamePattern = '' }: { readonly testNamePattern?: string | undefined }) {
    this.#names = new RegExp(testNamePattern, 'i');
  }

  onRunStart(results: RunResults): void {
    this.#progress = setInterval(() => {
      const minutes = Math.round((Date.now() - results.startTime) / 60_000);
      say(`${results.testResults.length} of ${results.numTotalTestSuites} files, ${minutes} min`);
    }, 60_000).unref();
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

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
