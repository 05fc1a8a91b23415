import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import synthesizeService from '../support/synthesize-service.mjs';
import { requireRoom } from './rooms.ts';

/** `npm run mutate -- <room>`: changes the room's code in many ways and lists the changes that no test notices. */
const [room, ...options] = process.argv.slice(2);
requireRoom(room);
await synthesizeService();
const project = join(import.meta.dirname, '../..');
const stryker = join(project, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const { status } = spawnSync(
  process.execPath,
  [stryker, 'run', join(import.meta.dirname, 'stryker.config.mjs'), ...options],
  { cwd: project, env: { ...process.env, MUTATION_ROOM: room, TEST_SOURCES: 'true' }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
