import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManageClient } from '../local/sigv4-client.ts';
import { createUsers, type LocalService, startLocalService } from './measure-load.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { type LoadTally, requestsPerRun, sendWrites } from './send-load.ts';
import { median, quantile } from './statistics.ts';

const connections = 4;
const writes = 50_000;
const idsInBulk = 2000;
/** For a run that misses the limit. */
const argument =
  'the thousands before and after differ by more than that from each other; without the index and the trimming of the stream a write takes six times as long after 60,000 records ([decision 30](decisions/0030-stream-of-the-emulator.md)).';

/**
 * Whether `npm start` becomes slower with its history: the last thousand of 50,000 writes beside the first, while the
 * publisher follows the table's stream; and how long the command line takes for 2,000 users before them.
 */
export async function measureWrites({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Starting npm start');
  const data = join(directory, 'data');
  const service = await startLocalService(data);
  try {
    progress(`${idsInBulk} ids by the command line`);
    const bulkSeconds = await timeBulk(service, directory, data);
    const target = await createUsers(service);
    const tallies: LoadTally[] = [];
    for (let sent = 0; sent < writes; sent += requestsPerRun) {
      tallies.push(await sendWrites(target, connections));
      if (tallies.length % 10 === 0) progress(`${tallies.length * requestsPerRun} writes`);
    }
    return report(tallies, bulkSeconds);
  } finally {
    await service.stop();
  }
}

/** Seconds of `auth-service access set` for many users, from the start of its process to the end. */
async function timeBulk({ example }: LocalService, directory: string, data: string): Promise<number> {
  const send = createManageClient(example.manageUrl, example);
  const userIds = Array.from({ length: idsInBulk }, (_, at) => `bulk-${at}`);
  for (let at = 0; at < idsInBulk; at += 20) {
    await Promise.all(userIds.slice(at, at + 20).map((userId) => send('PUT', `/users/${userId}`, {})));
  }
  const file = join(directory, 'ids.txt');
  writeFileSync(file, userIds.join('\n'));
  mkdirSync(join(directory, '.local'));
  copyFileSync(join(data, 'example.json'), join(directory, '.local/example.json'));
  const program = join(import.meta.dirname, '../cli/main.ts');
  const command = ['access', 'set', '--users-file', file, example.appId, 'disabled', '--reason', 'Contract ended'];
  const startedAt = performance.now();
  const { stdout: said } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, ...command],
    { cwd: directory },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  if (!said.includes(`${idsInBulk.toLocaleString('en-US')} changed`)) throw new Error(`The command line said: ${said}`);
  return seconds;
}

function report(tallies: readonly LoadTally[], bulkSeconds: number): Measurement {
  const [first, last] = [tallies[0], tallies.at(-1)];
  const [changed, errors] = [sumOf(tallies, ({ changed }) => changed), sumOf(tallies, (each) => each.errors.length)];
  // The load itself ends in whole seconds.
  const ratio = medianOf(last) / medianOf(first);
  return {
    budgets: [
      { ...atMost('a write among the last thousand of 50,000 / the first', ratio, 1.15, '×'), argument },
      atMost('writes against the local run that failed', errors, 0, ''),
      atMost('2,000 ids by the command line, against the local run', bulkSeconds, 20, 's'),
    ],
    samples: { tallies: tallies.map(summary), bulkSeconds },
    report: [
      `${writes.toLocaleString('en-US')} PUTs from ${connections} connections against \`npm start\`, whose publisher follows the stream meanwhile. The median write of the first thousand took ${milliseconds(first)} ms, of the one in the middle ${milliseconds(tallies[tallies.length / 2])} ms, of the last ${milliseconds(last)} ms; ${changed.toLocaleString('en-US')} changed an access and left a record in the history. Before them \`auth-service access set --users-file\` took ${bulkSeconds.toFixed(1)} s for ${idsInBulk.toLocaleString('en-US')} users.`,
    ],
  };
}

function medianOf(tally: LoadTally | undefined): number {
  return median(tally?.milliseconds ?? []);
}

function milliseconds(tally: LoadTally | undefined): string {
  return medianOf(tally).toFixed(1);
}

function sumOf(tallies: readonly LoadTally[], part: (tally: LoadTally) => number): number {
  return tallies.reduce((sum, tally) => sum + part(tally), 0);
}

function summary({ milliseconds, seconds }: LoadTally) {
  return {
    seconds,
    perSecond: milliseconds.length / seconds,
    p50: median(milliseconds),
    p99: quantile(milliseconds, 0.99),
  };
}
