import { join } from 'node:path';
import { requireRoom } from './rooms.ts';

const name = process.env.MUTATION_ROOM;
const { mutate } = requireRoom(name);

/** Mutation testing of one room; run by `run.mjs`. */
export default {
  mutate: [...mutate],
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
  // A time-out counts as killed, so a busy machine must not cause one: four times what the tests take, and this besides. Most
  // changes that never end are noticed before, by the number of their tasks or of their hits.
  timeoutMS: 15_000,
  timeoutFactor: 4,
  reporters: ['clear-text', 'progress', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  thresholds: { high: 95, low: 90, break: 90 },
};
