import { join } from 'node:path';
import { base } from '../../jest.config.mjs';
import { requireRoom } from './rooms.ts';

const { setup = [] } = requireRoom(process.env.MUTATION_ROOM);

/** The tests of one room as one file, without a synthesized stack. */
export default {
  ...base,
  rootDir: join(import.meta.dirname, '../..'),
  roots: ['<rootDir>/shared', '<rootDir>/test/shared', '<rootDir>/test/support', '<rootDir>/test/mutation'],
  // Each mutant is a run of its own: no child processes to look for files.
  watchman: false,
  haste: { forceNodeFilesystemAPI: true },
  testMatch: ['<rootDir>/test/mutation/all-tests.mjs'],
  testTimeout: 20_000,
  setupFiles: [...base.setupFiles, ...setup.map((file) => `<rootDir>/test/${file}`)],
};
