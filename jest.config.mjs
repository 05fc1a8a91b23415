import { availableParallelism } from 'node:os';
import { findEmulator } from './local/dynamodb-process.ts';
import { sortTests } from './test/support/test-projects.ts';

/** Tests run in plain Node.js: what is tested is what runs, and each worker loads a package only once. */
export const base = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/test', '<rootDir>/options'],
  testEnvironment: '<rootDir>/test/plain-node/jest-environment.mjs',
  testRunner: '<rootDir>/test/plain-node/run-test-file.mjs',
  transform: {},
  // Tests build these packages in folders of their own.
  modulePathIgnorePatterns: ['<rootDir>/client/package', '<rootDir>/lib/package'],
};

/** Only `service` and `stack` need a synthesized stack; docs/contribute/testing.md says what belongs where. */
const setups = {
  service: {
    globalSetup: '<rootDir>/test/support/begin-assembly.mjs',
    setupFilesAfterEnv: ['<rootDir>/test/support/await-assembly.ts'],
  },
  stack: { globalSetup: '<rootDir>/test/support/start-synthesis.mjs' },
};

const sorted = sortTests();
// Jest's own first line comes when the first of the long files has ended. With arguments it is not a run of all tests.
if (process.argv.length === 2) {
  console.error(`All ${Object.values(sorted).flat().length} test files: about 15 minutes on two quiet cores.`);
}

if (process.argv.length === 2 && findEmulator() === undefined) {
  console.error('There is no DynamoDB emulator for this machine: the tests use a table in memory.');
}

const projects = Object.entries(sorted).map(([name, paths]) => ({
  ...base,
  displayName: name,
  testMatch: paths.map((path) => `<rootDir>/${path}`),
  ...setups[name],
}));

export default {
  projects,
  reporters: ['default', '<rootDir>/test/support/report-run.ts'],
  // Only stops tests that hang; no test sets its own limit: on a busy machine everything may take twenty times as long.
  testTimeout: 1_500_000,
  // On a busy machine a worker needs more than the default half second to free its modules; a leak still holds it this long.
  workerGracefulExitTimeout: 60_000,
  // Tests also wait, for processes and for time to pass: one more file than there are cores keeps all cores busy.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/start-long-files-first.mjs',
  // Node.js never frees a module, and each test file has its own copies, so a worker that has grown is replaced.
  workerIdleMemoryLimit: '700MB',
};
