import { functionLines } from './function-lines.ts';
import { requireRoom } from './rooms.ts';

const name = process.env.MUTATION_ROOM;
const { mutate, functions = {} } = requireRoom(name);
const lines = Object.entries(functions).flatMap(([file, names]) => names.map((one) => functionLines(file, one)));

/** Mutation testing of one room; run by `run.mjs`. */
export default {
  mutate: [...mutate, ...lines],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.mjs', enableFindRelatedTests: false },
  // Stryker edits tsconfig.json by the JavaScript API of TypeScript, which TypeScript 7 has not; without a file it does not.
  tsconfigFile: 'none.json',
  // Only what the tests of a room load.
  ignorePatterns: ['*', '!shared/**', '!test/**', '!package.json', '!jest.config.mjs'],
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
