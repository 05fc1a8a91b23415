import { join } from 'node:path';
import { copiedFolders, requireRoom } from './rooms.ts';

const name = process.env.MUTATION_ROOM;
const { mutate } = requireRoom(name);

/** Mutation testing of one room; run by `run.mjs`. */
export default {
  mutate: [...mutate],
  plugins: [join(import.meta.dirname, 'in-process-runner.ts')],
  testRunner: 'in-process',
  testRunnerNodeArgs: ['--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  // Stryker edits tsconfig.json with the JavaScript API of TypeScript, which TypeScript 7 lacks; without a file it
  // skips this.
  tsconfigFile: 'none.json',
  ignorePatterns: ['*', ...copiedFolders.map((folder) => `!${folder}/**`), '!*.json'],
  tempDirName: '.cache/stryker',
  concurrency: 2,
  // Node.js never frees the modules of a run.
  maxTestRunnerReuse: 300,
  dryRunTimeoutMinutes: 20,
  // A timeout counts as killed, so a busy machine must not cause one: four times the duration of the tests, plus this.
  // Most endless changes are noticed earlier, by the number of their tasks or hits.
  timeoutMS: 15_000,
  timeoutFactor: 4,
  reporters: ['clear-text', 'progress', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  thresholds: { high: 95, low: 90, break: 90 },
};
