import { join } from 'node:path';
import base from '../../jest.config.mjs';

const { globalSetup: _synthesis, ...inProcess } = base;

/** The tests of one room, without a synthesized stack and with few cases for each fuzz test. */
export default {
  ...inProcess,
  rootDir: join(import.meta.dirname, '../..'),
  roots: ['<rootDir>/shared', '<rootDir>/test/shared', '<rootDir>/test/support', '<rootDir>/test/mutation'],
  testMatch: ['<rootDir>/test/mutation/all-tests.mjs'],
  setupFiles: [...base.setupFiles, '<rootDir>/test/mutation/limit-fuzzing.mjs'],
};
