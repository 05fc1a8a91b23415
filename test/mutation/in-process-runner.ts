import type { MutantCoverage } from '@stryker-mutator/api/core';
import type { Injector, PluginContext } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { setEnvironment } from '../plain-node/environment.ts';
import { importFile } from '../plain-node/fresh-modules.ts';
import { FixedSeedRuns } from './fixed-seed-runs.ts';
import { type Room, requireRoom, testFilesOf } from './rooms.ts';
import { TestFile, type TestOutcome, type TestSelection } from './test-file.ts';

/** The globals that Stryker's changed code uses in its process. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: MutantCoverage;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

const prefix = 'seed ';
/** Separates the file and the name of a test. */
const separator = ' : ';

/**
 * Runs the tests and the seeds of a room in this process, the cheap ones first: packages and stateless code stay loaded, and
 * the first failure ends the run of a change.
 */
class InProcessRunner implements TestRunner {
  readonly #room: Room;
  readonly #seeds: readonly string[];
  /** Tests that run before the seeds are of stateless code, and stay loaded. */
  readonly #files: Readonly<Record<'stateless' | 'fresh', readonly string[]>>;
  readonly #loaded = new Map<string, TestFile>();
  readonly #instrumentation: Instrumentation;
  readonly #simulation = new FixedSeedRuns();
  #environments = { seeds: { ...process.env }, tests: { ...process.env } };

  constructor(room: Room) {
    this.#room = room;
    this.#seeds = (room.seeds ?? []).map((seed) => `${prefix}${seed}`);
    this.#files = { stateless: testFilesOf(room.stateless ?? []), fresh: testFilesOf(room.tests) };
    const shared = globalThis as { __stryker__?: Instrumentation };
    shared.__stryker__ ??= {};
    this.#instrumentation = shared.__stryker__;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    for (const file of ['support/environment.mjs', ...(this.#room.setup ?? [])]) await importFile(`test/${file}`);
    this.#environments = { ...this.#environments, tests: { ...process.env } };
  }

  /** Measures the duration and the coverage of each seed and each test. */
  async dryRun(): Promise<DryRunResult> {
    const mutantCoverage: MutantCoverage = { static: {}, perTest: {} };
    this.#instrumentation.mutantCoverage = mutantCoverage;
    const tests: TestResult[] = [];
    for (const file of this.#files.stateless) tests.push(...(await this.#tryFile(file)));
    if (this.#seeds.length > 0) await this.#loadSeeds();
    for (const id of this.#seeds) tests.push(await this.#trySeed(id));
    for (const file of this.#files.fresh) tests.push(...(await this.#tryFile(file)));
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async #trySeed(id: string): Promise<TestResult> {
    this.#instrumentation.currentTestId = id;
    const startedAt = performance.now();
    const failure = await this.#failureOf(id);
    this.#instrumentation.currentTestId = undefined;
    return resultOf(id, { name: id, milliseconds: performance.now() - startedAt, failure });
  }

  async #tryFile(file: string): Promise<TestResult[]> {
    const idOf = (name: string) => `${file}${separator}${name}`;
    const blocks = new Map<string, readonly string[]>();
    const onTest = (name: string) => {
      this.#instrumentation.currentTestId = idOf(name);
    };
    const onBlock = (names: readonly string[]) => {
      const id = names.length === 0 ? undefined : `around ${file} ${names.join()}`;
      if (id !== undefined) blocks.set(id, names.map(idOf));
      this.#instrumentation.currentTestId = id;
    };
    const outcomes = await this.#runFile(file, { selects: () => true, onTest, onBlock, stopAtFailure: false });
    for (const [id, tests] of blocks) this.#coverToo(id, tests);
    return outcomes.map((outcome) => resultOf(`${file}${separator}${outcome.name}`, outcome));
  }

  /** Each test of a block covers the block's hooks: any of them may notice a change there. */
  #coverToo(id: string, tests: readonly string[]): void {
    const { perTest = {} } = this.#instrumentation.mutantCoverage ?? {};
    const around = Object.entries(perTest[id] ?? {});
    delete perTest[id];
    for (const test of tests) {
      const counts = { ...perTest[test] };
      for (const [mutant, count] of around) counts[mutant] = (counts[mutant] ?? 0) + count;
      perTest[test] = counts;
    }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, hitLimit, mutantActivation, testFilter } = options;
    const isStatic = mutantActivation === 'static';
    const counted = { hitCount: hitLimit && 0, hitLimit };
    Object.assign(this.#instrumentation, { activeMutant: isStatic ? activeMutant.id : undefined, ...counted });
    const { stateless, fresh } = this.#files;
    try {
      if (isStatic) this.#loaded.clear();
      return (
        (await this.#runFiles(stateless, options)) ??
        (await this.#runSeeds(options)) ??
        (await this.#runFiles(fresh, options)) ?? {
          status: MutantRunStatus.Survived,
          nrOfTests: testFilter?.length ?? 1,
        }
      );
    } catch (error) {
      // The changed code cannot even be loaded.
      return killedBy([], String(error));
    } finally {
      if (isStatic) this.#loaded.clear();
      Object.assign(this.#instrumentation, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    }
  }

  /** Runs until the first failing seed; undefined if none fails. */
  async #runSeeds({
    activeMutant,
    reloadEnvironment,
    testFilter,
  }: MutantRunOptions): Promise<MutantRunResult | undefined> {
    const seeds = testFilter?.filter((id) => id.startsWith(prefix)) ?? this.#seeds;
    if (seeds.length === 0) return undefined;
    if (reloadEnvironment || !this.#simulation.isLoaded) await this.#loadSeeds();
    this.#instrumentation.activeMutant = activeMutant.id;
    for (const id of seeds) {
      const failure = await this.#failureOf(id);
      if (failure !== undefined) return killedBy([id], failure);
    }
    return undefined;
  }

  /** Runs until the first failing test; undefined if none fails. */
  async #runFiles(
    files: readonly string[],
    { activeMutant, testFilter }: MutantRunOptions,
  ): Promise<MutantRunResult | undefined> {
    const ids = testFilter && new Set(testFilter);
    const isRun = (file: string) => ids === undefined || testFilter?.some((id) => id.startsWith(`${file}${separator}`));
    for (const file of files.filter(isRun)) {
      const selects = (name: string) => ids?.has(`${file}${separator}${name}`) ?? true;
      const outcomes = await this.#runFile(file, { selects, stopAtFailure: true }, activeMutant.id);
      const failed = outcomes.find(({ failure }) => failure !== undefined);
      if (failed !== undefined) return killedBy([`${file}${separator}${failed.name}`], failed.failure);
    }
    return undefined;
  }

  /** Activates a change once the file is loaded, unless it already is. */
  async #runFile(file: string, selection: TestSelection, mutant?: string): Promise<readonly TestOutcome[]> {
    setEnvironment(this.#environments.tests);
    const loaded = this.#loaded.get(file) ?? new TestFile(file);
    if (!this.#loaded.has(file)) await loaded.load();
    if (this.#files.stateless.includes(file)) this.#loaded.set(file, loaded);
    this.#instrumentation.activeMutant = mutant;
    return await loaded.run(selection);
  }

  async #loadSeeds(): Promise<void> {
    setEnvironment(this.#environments.seeds);
    await this.#simulation.load();
    this.#environments = { ...this.#environments, seeds: { ...process.env } };
  }

  async #failureOf(id: string): Promise<string | undefined> {
    setEnvironment(this.#environments.seeds);
    return await this.#simulation.failureOf(Number(id.slice(prefix.length)));
  }
}

function resultOf(id: string, { milliseconds, failure }: TestOutcome): TestResult {
  const test = { id, name: id, timeSpentMs: milliseconds };
  if (failure === undefined) return { ...test, status: TestStatus.Success };
  return { ...test, status: TestStatus.Failed, failureMessage: failure };
}

function killedBy(ids: string[], failureMessage = ''): MutantRunResult {
  return { status: MutantRunStatus.Killed, killedBy: ids, failureMessage, nrOfTests: 1 };
}

/** Creates the runner, as Stryker does for its own. */
function createRunner(_: Injector<PluginContext>): TestRunner {
  return new InProcessRunner(requireRoom(process.env.MUTATION_ROOM));
}
createRunner.inject = ['$injector'] as const;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: createRunner }];
