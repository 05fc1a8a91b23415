import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MutantCoverage } from '@stryker-mutator/api/core';
import type { Injector, PluginContext } from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';
import { type Room, requireRoom, testFilesOf } from './rooms.ts';

/** What Stryker's changed code asks for in the process in which it runs. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: MutantCoverage;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

type Simulation = Pick<typeof import('../simulation/seed-workers.ts'), 'resultOf'> &
  Pick<typeof import('../simulation/run-seed.ts'), 'prepareRuns'> &
  Pick<typeof import('../simulation/load-code.ts'), 'forgetCode'>;

const prefix = 'seed ';
/** Between the file and the name of a test of Jest. */
const separator = ' > ';

/**
 * Runs the seeds of a room in this process, where a change of the code is switched on without loading anything, and Jest's
 * tests for what the seeds do not notice.
 */
class SeedsRunner implements TestRunner {
  readonly #jest: TestRunner;
  readonly #seeds: readonly string[];
  readonly #files: readonly string[];
  readonly #instrumentation: Instrumentation;
  #simulation: Simulation | undefined;
  #runs = 0;

  constructor(jest: TestRunner, { seeds = [], tests }: Room) {
    this.#jest = jest;
    this.#seeds = seeds.map((seed) => `${prefix}${seed}`);
    this.#files = testFilesOf(tests);
    const shared = globalThis as { __stryker__?: Instrumentation };
    shared.__stryker__ ??= {};
    this.#instrumentation = shared.__stryker__;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    await this.#jest.init?.();
  }

  async dispose(): Promise<void> {
    await this.#jest.dispose?.();
  }

  /** What each seed, and each test of Jest, takes and reaches. */
  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const mutantCoverage: MutantCoverage = { static: {}, perTest: {} };
    this.#instrumentation.mutantCoverage = mutantCoverage;
    await this.#load();
    const tests: TestResult[] = [];
    for (const id of this.#seeds) tests.push(await this.#trySeed(id));
    for (const file of this.#files) {
      process.env.MUTATION_TESTS = file;
      const result = await this.#jest.dryRun(options);
      if (result.status !== DryRunStatus.Complete) return result;
      tests.push(...result.tests.map((test) => ({ ...test, id: `${file}${separator}${test.id}` })));
      Object.assign(mutantCoverage.static, result.mutantCoverage?.static);
      for (const { id } of result.tests) {
        mutantCoverage.perTest[`${file}${separator}${id}`] = result.mutantCoverage?.perTest[id] ?? {};
      }
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async #trySeed(id: string): Promise<TestResult> {
    this.#instrumentation.currentTestId = id;
    const startedAt = performance.now();
    const failureMessage = await this.#failureOf(id);
    this.#instrumentation.currentTestId = undefined;
    const test = { id, name: id, timeSpentMs: performance.now() - startedAt };
    if (failureMessage === undefined) return { ...test, status: TestStatus.Success };
    return { ...test, status: TestStatus.Failed, failureMessage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { testFilter } = options;
    const seeds = testFilter?.filter((id) => id.startsWith(prefix)) ?? this.#seeds;
    const noticed = await this.#runSeeds(seeds, options);
    if (noticed !== undefined) return noticed;
    const tests = testFilter?.filter((id) => !id.startsWith(prefix));
    if (tests?.length === 0) return { status: MutantRunStatus.Survived, nrOfTests: seeds.length };
    const named = tests?.map((id) => id.split(separator));
    const files = named?.map(([file = '']) => file) ?? this.#files;
    // Only what is loaded takes time.
    process.env.MUTATION_TESTS = [...new Set(files)].join();
    return this.#jest.mutantRun({ ...options, ...(named && { testFilter: named.map(([, test = '']) => test) }) });
  }

  /** Until the first seed that fails; undefined when none does. */
  async #runSeeds(seeds: readonly string[], options: MutantRunOptions): Promise<MutantRunResult | undefined> {
    const { activeMutant, hitLimit, mutantActivation, reloadEnvironment } = options;
    Object.assign(this.#instrumentation, { activeMutant: undefined, hitCount: hitLimit && 0, hitLimit });
    const isStatic = mutantActivation === 'static';
    if (!isStatic && (reloadEnvironment || this.#simulation === undefined)) await this.#load();
    this.#instrumentation.activeMutant = activeMutant.id;
    try {
      if (isStatic) await this.#load();
      for (const [index, id] of seeds.entries()) {
        const failureMessage = await this.#failureOf(id);
        if (failureMessage === undefined) continue;
        return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests: index + 1 };
      }
    } catch (error) {
      // The changed code cannot even be loaded.
      return {
        status: MutantRunStatus.Killed,
        killedBy: seeds.slice(0, 1),
        failureMessage: String(error),
        nrOfTests: 1,
      };
    } finally {
      Object.assign(this.#instrumentation, { activeMutant: undefined, hitLimit: undefined });
    }
    return undefined;
  }

  /** Loads the code under test anew, as far as it is loaded. */
  async #load(): Promise<void> {
    this.#simulation ??= await loadSimulation();
    this.#simulation.forgetCode();
    await this.#simulation.prepareRuns({ processCopies: 2 });
  }

  /** The names in each run are new ones: what the run of one change has left says nothing to the next. */
  async #failureOf(id: string): Promise<string | undefined> {
    const seed = id.slice(prefix.length);
    const { violations } = (await this.#simulation?.resultOf(Number(seed), `${seed}-${++this.#runs}`)) ?? {};
    const [first] = violations ?? [];
    return first && `${first[0]}: ${first[1][0]}`;
  }
}

/** Those of the copy of the project that Stryker has changed. */
async function loadSimulation(): Promise<Simulation> {
  const load = (file: string) => import(pathToFileURL(join(process.cwd(), 'test/simulation', file)).href);
  await load('prepare-process.ts');
  const modules = [await load('run-seed.ts'), await load('seed-workers.ts'), await load('load-code.ts')];
  return Object.assign({}, ...modules);
}

/** As Stryker makes its own runners. */
function createSeedsRunner(injector: Injector<PluginContext>): TestRunner {
  const [jest] = jestPlugins.map(({ factory }) => factory(injector));
  if (jest === undefined) throw new Error('The runner of Jest has no plugin');
  return new SeedsRunner(jest, requireRoom(process.env.MUTATION_ROOM));
}
createSeedsRunner.inject = ['$injector'] as const;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'seeds', factory: createSeedsRunner }];
