import { join } from 'node:path';
import { functionLines } from './function-lines.ts';
import { requireRoom } from './rooms.ts';

const name = process.env.MUTATION_ROOM;
const { mutate, functions = {} } = requireRoom(name);
const lines = Object.entries(functions).flatMap(([file, names]) => names.map((one) => functionLines(file, one)));

/** Mutation testing of one room; run by `run.mjs`. */
export default {
  mutate: [...mutate, ...lines],
  plugins: [join(import.meta.dirname, 'in-process-runner.ts')],
  testRunner: 'in-process',
  testRunnerNodeArgs: ['--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  // Stryker edits tsconfig.json by the JavaScript API of TypeScript, which TypeScript 7 has not; without a file it does not.
  tsconfigFile: 'none.json',
  // Only what the tests of a room load.
  ignorePatterns: [
    '*',
    '!shared/**',
    '!test/**',
    '!functions/**',
    '!local/**',
    '!lib/**',
    '!docs/**',
    '!client/build/**',
    '!client/package/**',
    '!bench/**',
    '!*.json',
  ],
  tempDirName: '.cache/stryker',
  concurrency: 2,
  // Node.js never frees the modules of a run.
  maxTestRunnerReuse: 300,
  dryRunTimeoutMinutes: 20,
  // A time-out counts as killed, so a busy machine must not cause one: a change that never ends is noticed before, by the
  // number of its tasks or of its hits.
  timeoutMS: 120_000,
  reporters: ['clear-text', 'progress', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  thresholds: { high: 95, low: 90, break: 90 },
};
