import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsEnvironment, invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import { openFunctions } from './open-functions.ts';
import { median, pairedRatios, spread } from './statistics.ts';

const project = join(import.meta.dirname, '..');
const processes = Number(process.env.COMPARE_PROCESSES ?? 11);
const rounds = 7;
const warmUps = 2000;
const requestsPerRound = 300;

/**
 * `npm run bench:compare -- <revision> [in flight, 20 by default]`: CPU of a warm GET of this folder's code beside that of
 * another revision with this folder's packages, by 11 processes of each in turn, about three minutes on a quiet machine.
 * The same code against itself (`HEAD`, without changes) shows the noise.
 */
const [revision = 'HEAD', inFlightText = '20'] = process.argv.slice(2);
const inFlight = Number(inFlightText);
const directory = mkdtempSync(join(tmpdir(), 'auth-service-compare-'));
const standIn = await startAwsStandIn(directory);
try {
  const files = { here: bundle(project, 'here'), there: bundle(checkOut(revision), 'there') };
  const found = { here: noValues(), there: noValues() };
  for (let at = 0; at < processes; at++) {
    const pair = await samplePair(files);
    found.here.push(pair.here);
    found.there.push(pair.there);
    console.log(`${at + 1} of ${processes}: ${describe(found)}`);
  }
} finally {
  standIn.close();
  rmSync(directory, { recursive: true });
  execFileSync('git', ['worktree', 'prune'], { cwd: project });
}

type Variant = 'here' | 'there';

function describe({ here, there }: Readonly<Record<Variant, readonly number[]>>): string {
  const microseconds = `${median(here).toFixed(0)} µs here, ${median(there).toFixed(0)} µs at ${revision}`;
  return `${microseconds}, ratio ${spread(pairedRatios(here, there), 3)}`;
}

/** A folder with the files of the revision. */
function checkOut(name: string): string {
  const folder = join(directory, 'revision');
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, name], { cwd: project, stdio: 'ignore' });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The file of `get-access`, as that folder builds it. */
function bundle(source: string, name: string): string {
  const out = join(directory, name);
  mkdirSync(out);
  const command = ['--disable-warning=ExperimentalWarning', 'lib/build-functions.ts', out];
  execFileSync(process.execPath, command, { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(out, 'get-access/index.js');
}

/** CPU of a GET in µs: the medians of the rounds of one process each, which take turns. */
async function samplePair(files: Readonly<Record<Variant, string>>): Promise<Record<Variant, number>> {
  const open = (variant: Variant) =>
    openFunctions({ fileOf: () => files[variant], environment: awsEnvironment(standIn.url), pinned: true });
  const opened = { here: open('here'), there: open('there') };
  const taken = { here: noValues(), there: noValues() };
  const variants: readonly Variant[] = ['here', 'there'];
  try {
    for (const each of variants) await opened[each].run(gets(warmUps), { inFlight: 20 });
    for (let round = 0; round < rounds; round++) {
      for (const each of round % 2 === 0 ? variants : variants.toReversed()) {
        const { cpuMicroseconds } = await opened[each].run(gets(requestsPerRound), { inFlight });
        taken[each].push(cpuMicroseconds / requestsPerRound);
      }
    }
  } finally {
    await Promise.all([opened.here.close(), opened.there.close()]);
  }
  return { here: median(taken.here), there: median(taken.there) };
}

function gets(count: number) {
  return new Array(count).fill(invokeEndpoint('get-access'));
}

function noValues(): number[] {
  return [];
}
