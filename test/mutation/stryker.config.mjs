import { join } from 'node:path';
import { requireRoom } from './rooms.ts';

const name = process.env.MUTATION_ROOM;
const { mutate, seeds = 0 } = requireRoom(name);

/** Mutation testing of one room; run by `run.mjs`. */
export default {
  mutate,
  plugins: ['@stryker-mutator/jest-runner', join(import.meta.dirname, 'seeds-runner.ts')],
  testRunner: seeds > 0 ? 'seeds' : 'jest',
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
  // A time-out counts as killed, so a busy machine must not cause one.
  timeoutMS: 15_000,
  reporters: ['clear-text', 'progress', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  thresholds: { high: 95, low: 90, break: 90 },
};
