/** Native ES modules: Middy ships nothing else, and the code under test is the code that runs. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.mjs' },
  setupFiles: ['<rootDir>/test/support/environment.mjs'],
  globalSetup: '<rootDir>/test/support/synthesize-once.mjs',
  // The built client is a package of the same name.
  modulePathIgnorePatterns: ['<rootDir>/client/dist'],
  testTimeout: 20_000,
};
