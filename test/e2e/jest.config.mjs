import { availableParallelism } from 'node:os';
import { base } from '../../jest.config.mjs';

/** The dashboard in a real browser, apart from the other tests: `npm run test:e2e`. */
export default {
  ...base,
  roots: ['<rootDir>/test/e2e', '<rootDir>/options'],
  testMatch: ['<rootDir>/{test/e2e,options}/**/*.e2e.ts'],
  reporters: ['default', '<rootDir>/test/support/report-run.ts'],
  globalSetup: '<rootDir>/test/e2e/support/build-once.mjs',
  // Only stops tests that hang, on a machine of whatever speed.
  testTimeout: 600_000,
  // They wait for pages more than they compute.
  maxWorkers: 2 * availableParallelism(),
};
