/** The dashboard in a real browser, apart from the other tests: `npm run test:e2e`. */
export default {
  rootDir: '../..',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/e2e/**/*.e2e.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.mjs' },
  setupFiles: ['<rootDir>/test/support/environment.mjs'],
  globalSetup: '<rootDir>/test/e2e/support/build-once.mjs',
  // The built client is a package of the same name.
  modulePathIgnorePatterns: ['<rootDir>/client/dist'],
  testTimeout: 30_000,
  maxWorkers: 2,
};
