import { join } from 'node:path';
import { functionLines } from './function-lines.ts';
import { requireRoom } from './rooms.ts';

const name = process.env.MUTATION_ROOM;
const { mutate, seeds, functions = {} } = requireRoom(name);
const lines = Object.entries(functions).flatMap(([file, names]) => names.map((one) => functionLines(file, one)));

/** Mutation testing of one room; run by `run.mjs`. */
export default {
  mutate: [...mutate, ...lines],
  plugins: ['@stryker-mutator/jest-runner', join(import.meta.dirname, 'seeds-runner.ts')],
  testRunner: seeds === undefined ? 'jest' : 'seeds',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.mjs', enableFindRelatedTests: false },
  // Stryker edits tsconfig.json by the JavaScript API of TypeScript, which TypeScript 7 has not; without a file it does not.
  tsconfigFile: 'none.json',
  // Only what the tests of a room load.
  ignorePatterns: [
    '*',
    '!shared/**',
    '!test/**',
    '!local/**',
    '!bench/statistics.ts',
    '!package.json',
    '!jest.config.mjs',
  ],
  tempDirName: '.cache/stryker',
  concurrency: 2,
  // Jest never frees the modules of a run (jestjs/jest#14605).
  maxTestRunnerReuse: 200,
  // A time-out counts as killed, so a busy machine must not cause one: a change that never ends is noticed before, by the
  // number of its tasks or of its hits.
  timeoutMS: 120_000,
  reporters: ['clear-text', 'progress', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  thresholds: { high: 95, low: 90, break: 90 },
};
