import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManageClient } from '../local/sigv4-client.ts';
import type { LoadTarget } from './compare-history.ts';
import { createUsers, type LocalService, startLocalService } from './measure-load.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { type LoadTally, requestsPerRun, sendWrites } from './send-load.ts';
import { median, pairedRatios, quantile, spread } from './statistics.ts';

const connections = 4;
const writes = 50_000;
const idsInBulk = 2000;
/** Rounds in which the run with a history and a new one take turns, after one that warms both up. */
const rounds = 5;

interface Samples {
  /** A thousand writes each, in their order. */
  readonly tallies: readonly LoadTally[];
  /** Beside a new run, at once and after both were restarted. */
  readonly atOnce: Turns;
  readonly restarted: Turns;
  readonly bulkSeconds: number;
}

/** A thousand writes each, by the run with 50,000 behind it and by a new one in turns. */
interface Turns {
  readonly old: readonly LoadTally[];
  readonly fresh: readonly LoadTally[];
}

/**
 * Whether `npm start` becomes slower with its history, while the publisher follows the table's stream: a run with 50,000
 * writes behind it beside a new one, at once and after both were restarted; and how long the command line takes for
 * 2,000 users before them.
 */
export async function measureWrites({ directory, progress }: BenchContext): Promise<Measurement> {
  const [oldFolder, freshFolder] = [join(directory, 'old'), join(directory, 'fresh')];
  progress('Starting npm start');
  const { userIds, ...samples } = await whileRunning(oldFolder, async (old) => {
    progress(`${idsInBulk} ids by the command line`);
    const bulkSeconds = await timeBulk(old, directory, oldFolder);
    const target = await createUsers(old);
    const tallies: LoadTally[] = [];
    for (let sent = 0; sent < writes; sent += requestsPerRun) {
      tallies.push(await sendWrites(target, connections));
      if (tallies.length % 10 === 0) progress(`${tallies.length * requestsPerRun} writes`);
    }
    progress('In turns with a new run');
    const atOnce = await whileRunning(freshFolder, async (fresh) => inTurns(target, await createUsers(fresh)));
    return { tallies, atOnce, bulkSeconds, userIds: target.userIds };
  });
  progress('In turns after a restart of both');
  const restarted = await whileRunning(oldFolder, (old) =>
    whileRunning(freshFolder, (fresh) => inTurns({ ...old.example, userIds }, { ...fresh.example, userIds })),
  );
  return report({ ...samples, restarted });
}

async function whileRunning<Result>(folder: string, use: (service: LocalService) => Promise<Result>): Promise<Result> {
  const service = await startLocalService(folder);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

async function inTurns(old: LoadTarget, fresh: LoadTarget): Promise<Turns> {
  const turns: { [part in keyof Turns]: LoadTally[] } = { old: [], fresh: [] };
  for (let round = 0; round <= rounds; round++) {
    turns.old.push(await sendWrites(old, connections));
    turns.fresh.push(await sendWrites(fresh, connections));
  }
  return turns;
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

function report({ tallies, atOnce, restarted, bulkSeconds }: Samples): Measurement {
  const ratios = { atOnce: ratiosOf(atOnce), restarted: ratiosOf(restarted) };
  const sent = [tallies, atOnce.old, atOnce.fresh, restarted.old, restarted.fresh].flat();
  const [changed, errors] = [sumOf(tallies, ({ changed }) => changed), sumOf(sent, (each) => each.errors.length)];
  return {
    budgets: [
      atMost('a write after 50,000 and a restart / one of a new run', median(ratios.restarted), 1.15, '×'),
      // The emulator looks at the tokens of the transactions of ten minutes for each new one, one at a time (decision 0030).
      atMost('the same without the restart', median(ratios.atOnce), 1.5, '×'),
      atMost('writes against the local run that failed', errors, 0, ''),
      atMost('2,000 ids by the command line, against the local run', bulkSeconds, 20, 's'),
    ],
    samples: { tallies: tallies.map(summary), ...ratios, bulkSeconds },
    report: [
      `${writes.toLocaleString('en-US')} PUTs from ${connections} connections against \`npm start\`, whose publisher follows the stream meanwhile; ${changed.toLocaleString('en-US')} changed an access and left a record in the history. Then it and a new \`npm start\` took turns, a thousand PUTs each: the median write took ${spread(ratios.atOnce, 2)} × as long as the new one's, and ${spread(ratios.restarted, 2)} × after both were restarted. The emulator keeps the token of each transaction for ten minutes, and looks at all of them for each new one ([decision 30](decisions/0030-stream-of-the-emulator.md)). Before them \`auth-service access set --users-file\` took ${bulkSeconds.toFixed(1)} s for ${idsInBulk.toLocaleString('en-US')} users.`,
    ],
  };
}

/** Of the median writes of each round, without the first. */
function ratiosOf({ old, fresh }: Turns): number[] {
  const medians = (tallies: readonly LoadTally[]) => tallies.slice(1).map(({ milliseconds }) => median(milliseconds));
  return pairedRatios(medians(old), medians(fresh));
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
