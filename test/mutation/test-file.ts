import { join } from 'node:path';
import { addEventHandler, type Event, getState, resetState, run, type State, setState } from 'jest-circus';
import { importCopy } from '../plain-node/fresh-modules.ts';
import { restoreGlobals } from '../plain-node/jest-globals.ts';

type DescribeBlock = State['rootDescribeBlock'];
type Test = Extract<Event, { name: 'test_start' }>['test'];

/** The result of one test. */
export interface TestOutcome {
  readonly name: string;
  readonly milliseconds: number;
  readonly failure: string | undefined;
}

export interface TestSelection {
  /** Whether to run the test of this name. */
  readonly selects: (name: string) => boolean;
  readonly stopAtFailure: boolean;
  /** Called with the name of each test when it starts. */
  readonly onTest?: ((name: string) => void) | undefined;
  /** Called with the names of a block's tests before its hooks, and without names after the last block. */
  readonly onBlock?: ((names: readonly string[]) => void) | undefined;
}

/** Only for tests that hang; counts as a failure. */
const testTimeout = 60_000;
/** An uncaught error outside any test. */
const uncaught: unknown[] = [];
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => uncaught.push(error));

let current: TestSelection | undefined;
let isStopped = false;

/** Runs the tests of a file in this process. */
export class TestFile {
  readonly #path: string;
  #loaded: State | undefined;

  /** Below `test/`. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Loads the file with separate modules; throws if it cannot be loaded. */
  async load(): Promise<void> {
    this.#loaded = undefined;
    resetState();
    getState().testTimeout = testTimeout;
    await importCopy(join('test', this.#path));
    this.#loaded = getState();
  }

  /** Runs them with the most recently loaded modules, if any. */
  async run(selection: TestSelection): Promise<readonly TestOutcome[]> {
    if (this.#loaded === undefined) await this.load();
    const state = setState(this.#loaded ?? getState());
    state.unhandledErrors = [];
    uncaught.length = 0;
    isStopped = false;
    current = selection;
    try {
      const { testResults, unhandledErrors } = await run();
      const outcomes = testResults.filter(({ status }) => status === 'done').map(outcomeOf);
      const [error] = [...unhandledErrors, ...uncaught];
      return error === undefined ? outcomes : [failed('outside of the tests', error), ...outcomes];
    } finally {
      current = undefined;
      restoreGlobals();
    }
  }
}

type TestResult = Awaited<ReturnType<typeof run>>['testResults'][number];

function outcomeOf({ testPath, duration, errors: [error] }: TestResult): TestOutcome {
  const name = testPath.slice(1).join(' > ');
  return error === undefined ? { name, milliseconds: duration ?? 0, failure: undefined } : failed(name, error);
}

function failed(name: string, error: unknown): TestOutcome {
  return { name, milliseconds: 0, failure: String(error) };
}

addEventHandler((event) => {
  if (event.name === 'run_start') begin(getState().rootDescribeBlock);
  if (event.name === 'run_describe_start') enter(event.describeBlock);
  if (event.name === 'run_describe_finish') enter(event.describeBlock.parent);
  if (event.name === 'test_start') {
    if (isStopped) event.test.mode = 'skip';
    current?.onTest?.(nameOf(event.test));
  }
  if (event.name !== 'test_done') return;
  enter(event.test.parent);
  isStopped ||= current?.stopAtFailure === true && event.test.errors.length > 0;
});

/** Skips unselected tests, whatever an earlier run left; hooks around only skipped tests do not run. */
function begin(block: DescribeBlock): void {
  for (const test of testsOf(block)) {
    const isSelected = current?.selects(nameOf(test)) !== false;
    Object.assign(test, { errors: [], status: null, seenDone: false, mode: isSelected ? undefined : 'skip' });
  }
}

function enter(block: DescribeBlock | undefined): void {
  current?.onBlock?.(block === undefined ? [] : testsOf(block).map(nameOf));
}

function testsOf(block: DescribeBlock): Test[] {
  return block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));
}

function nameOf(test: Test): string {
  const names = [test.name];
  for (let block = test.parent; block.parent !== undefined; block = block.parent) names.unshift(block.name);
  return names.join(' > ');
}
