import { globSync } from 'node:fs';
import { join } from 'node:path';
import { requireRoom } from './rooms.ts';

// All tests of a room in one file: each mutant starts every file anew, and loading its modules takes longer than its tests.
// A hook outside of every `describe` therefore runs around the tests of all files.
const folder = join(import.meta.dirname, '..');
for (const file of globSync(requireRoom(process.env.MUTATION_ROOM).tests, { cwd: folder }).sort()) {
  await import(join(folder, file));
}
