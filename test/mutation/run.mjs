import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import synthesizeService from '../support/synthesize-service.mjs';
import { checksModules } from '../support/tools.ts';
import { requireRoom, rooms } from './rooms.ts';

const help = `npm run mutate [-- <room> [options]]

Changes the code of a room, or of all rooms one after the other, in many ways, and lists the changes that no test notices.
Exits with 1 when fewer than 90 % of a room's changes are noticed. Options are those of Stryker, for example
--mutate shared/table/expression.ts for one file of the room. Reports: .cache/mutation/<room>.html

Rooms: ${Object.keys(rooms).join(', ')}
`;

const project = join(import.meta.dirname, '../..');
const stryker = join(checksModules, '@stryker-mutator/core/bin/stryker.js');

/** Returns the exit code; 1 without a report, because Stryker exits with 0 even if it could not start. */
function mutate(room, options) {
  const report = join(project, `.cache/mutation/${room}.json`);
  rmSync(report, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [stryker, 'run', join(import.meta.dirname, 'stryker.config.mjs'), ...options],
    { cwd: project, env: { ...process.env, MUTATION_ROOM: room, TEST_SOURCES: 'true' }, stdio: 'inherit' },
  );
  return existsSync(report) ? (status ?? 1) : 1;
}

const [first, ...options] = process.argv.slice(2);
if (first === '--help') {
  process.stdout.write(help);
} else if (!existsSync(stryker)) {
  console.error('Stryker is not installed. Install it with: npm ci --prefix .ci/checks');
  process.exitCode = 1;
} else {
  const isNamed = first !== undefined && !first.startsWith('-');
  if (isNamed) requireRoom(first);
  await synthesizeService();
  const results = (isNamed ? [first] : Object.keys(rooms)).map((room) => {
    const startedAt = performance.now();
    const exitCode = mutate(room, isNamed ? options : process.argv.slice(2));
    return { room, exitCode, seconds: Math.round((performance.now() - startedAt) / 1000) };
  });
  for (const { room, exitCode, seconds } of results)
    console.log(`${room.padEnd(12)} ${exitCode === 0 ? 'passed' : 'failed'} in ${seconds} s`);
  process.exitCode = results.some(({ exitCode }) => exitCode !== 0) ? 1 : 0;
}
