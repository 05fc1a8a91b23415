import { join } from 'node:path';
import { requireRoom, testFilesOf } from './rooms.ts';

// All tests of a room in one file: each mutant starts every file anew, and loading its modules takes longer than its tests.
// A hook outside of every `describe` therefore runs around the tests of all files.
const only = process.env.MUTATION_TESTS?.split(',');
for (const file of only ?? testFilesOf(requireRoom(process.env.MUTATION_ROOM).tests)) {
  await import(join(import.meta.dirname, '..', file));
}
