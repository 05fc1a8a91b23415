import { importFile } from '../plain-node/fresh-modules.ts';

type Simulation = Pick<typeof import('../simulation/seed-workers.ts'), 'resultOf'> &
  Pick<typeof import('../simulation/run-seed.ts'), 'prepareRuns'> &
  Pick<typeof import('../simulation/load-code.ts'), 'forgetCode'>;

/** The simulation in this process: a change of the code is switched on without loading anything. */
export class FixedSeedRuns {
  #simulation: Simulation | undefined;
  #runs = 0;

  get isLoaded(): boolean {
    return this.#simulation !== undefined;
  }

  /** Reloads the code under test, if it is loaded. */
  async load(): Promise<void> {
    this.#simulation ??= await loadSimulation();
    this.#simulation.forgetCode();
    await this.#simulation.prepareRuns({ processCopies: 2 });
  }

  /** Returns the violations. The names are new in each run, so that a change does not affect the next. */
  async failureOf(seed: number): Promise<string | undefined> {
    const { violations } = (await this.#simulation?.resultOf(seed, `${seed}-${++this.#runs}`)) ?? {};
    const [first] = violations ?? [];
    return first && `${first[0]}: ${first[1][0]}`;
  }
}

async function loadSimulation(): Promise<Simulation> {
  await importFile('test/simulation/prepare-process.ts');
  const files = ['run-seed', 'seed-workers', 'load-code'];
  const modules = [];
  for (const file of files) modules.push(await importFile(`test/simulation/${file}.ts`));
  return Object.assign({}, ...modules);
}
