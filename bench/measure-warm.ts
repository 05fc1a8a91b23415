import { join } from 'node:path';
import { bundleFunction } from '../lib/bundle-function.ts';
import { awsEnvironment, invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { median, pairedRatios, spread } from './statistics.ts';

const rounds = 21;
const warmUps = 2000;
const requestsPerRound = 300;

/** How many requests are in flight, and how much more CPU than the raw request a GET may take. */
const settings = [
  { inFlight: 1, cpuLimit: 5 },
  { inFlight: 20, cpuLimit: 7.2 },
] as const;

type Setting = (typeof settings)[number];

/** A check of 100 users, and how much CPU it may take for one of them beside a GET. */
const usersPerCheck = 100;
const checksPerRound = 15;
const checkLimit = 0.2;

/** Per request, by round. */
interface Samples {
  readonly cpuMicroseconds: number[];
  readonly milliseconds: number[];
}

interface Pair {
  readonly setting: Setting;
  readonly raw: Samples;
  readonly read: Samples;
}

interface CheckPair {
  readonly setting: Setting;
  readonly read: Samples;
  /** Per user. */
  readonly check: Samples;
}

/** A warm GET of the deployed bundle beside one raw HTTPS request with the same body. */
export async function measureWarm({ directory, progress }: BenchContext): Promise<Measurement> {
  const { url, close } = await startAwsStandIn(directory);
  try {
    const bundleOf = (name: string) => join(bundleFunction(name, directory).directory, 'index.js');
    const pairs: Pair[] = [];
    const checks: CheckPair[] = [];
    for (const setting of settings) {
      progress(`${setting.inFlight} in flight`);
      pairs.push(await measurePair(setting, bundleOf('get-access'), url));
      progress(`${setting.inFlight} checks in flight`);
      checks.push(await measureCheck(setting, bundleOf, url));
    }
    return {
      title: 'Warm',
      budgets: [...pairs.map(budgetOf), ...checks.map(checkBudgetOf)],
      samples: { pairs, checks },
      report: [introduction, table(pairs), checkIntroduction, checkTable(checks)],
    };
  } finally {
    close();
  }
}

async function measureCheck(setting: Setting, bundleOf: (name: string) => string, url: string): Promise<CheckPair> {
  const open = (name: string) =>
    openFunctions({ fileOf: () => bundleOf(name), environment: awsEnvironment(url), pinned: true });
  const processes = { read: open('get-access'), check: open('check-access') };
  const samples = { read: noSamples(), check: noSamples() };
  const { inFlight } = setting;
  const sampleCheck = async () => {
    const { answers, cpuMicroseconds } = await processes.check.run(checks(checksPerRound), { inFlight });
    samples.check.cpuMicroseconds.push(cpuMicroseconds / checksPerRound / usersPerCheck);
    samples.check.milliseconds.push(median(answers.map(({ milliseconds }) => milliseconds)));
  };
  const sampleRead = () => sample(samples.read, processes.read, inFlight);
  try {
    await processes.read.run(reads(warmUps), { inFlight: 20 });
    await processes.check.run(checks(warmUps / 10), { inFlight: 20 });
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? [sampleRead, sampleCheck] : [sampleCheck, sampleRead];
      for (const next of order) await next();
    }
  } finally {
    await Promise.all(Object.values(processes).map((each) => each.close()));
  }
  return { setting, ...samples };
}

function checks(count: number) {
  return new Array(count).fill(invokeEndpoint('check-access'));
}

async function measurePair(setting: Setting, bundle: string, url: string): Promise<Pair> {
  const { inFlight } = setting;
  const open = (file: string) => openFunctions({ fileOf: () => file, environment: awsEnvironment(url), pinned: true });
  const processes = { raw: open(join(import.meta.dirname, 'raw-post.cjs')), read: open(bundle) };
  const samples = { raw: noSamples(), read: noSamples() };
  try {
    for (const each of Object.values(processes)) await each.run(reads(warmUps), { inFlight: 20 });
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['raw', 'read'] as const) : (['read', 'raw'] as const);
      for (const name of order) await sample(samples[name], processes[name], inFlight);
    }
  } finally {
    await Promise.all(Object.values(processes).map((each) => each.close()));
  }
  return { setting, ...samples };
}

async function sample(samples: Samples, functions: OpenFunctions, inFlight: number): Promise<void> {
  const { answers, cpuMicroseconds } = await functions.run(reads(requestsPerRound), { inFlight });
  samples.cpuMicroseconds.push(cpuMicroseconds / requestsPerRound);
  samples.milliseconds.push(median(answers.map(({ milliseconds }) => milliseconds)));
}

function reads(count: number) {
  return new Array(count).fill(invokeEndpoint('get-access'));
}

function noSamples(): Samples {
  return { cpuMicroseconds: [], milliseconds: [] };
}

function budgetOf(pair: Pair): Budget {
  const { inFlight, cpuLimit } = pair.setting;
  return atMost(`CPU per GET / raw request, ${inFlight} in flight`, cpuRatio(pair), cpuLimit, '×');
}

function cpuRatio({ raw, read }: Pair): number {
  return median(pairedRatios(read.cpuMicroseconds, raw.cpuMicroseconds));
}

function checkBudgetOf(pair: CheckPair): Budget {
  const what = `CPU per user of a check of ${usersPerCheck} / GET, ${pair.setting.inFlight} in flight`;
  return atMost(what, checkRatio(pair), checkLimit, '×');
}

function checkRatio({ read, check }: CheckPair): number {
  return median(pairedRatios(check.cpuMicroseconds, read.cpuMicroseconds));
}

const introduction = `A GET of the deployed bundle, from the event to the answer, with verification, log and metrics, and a bare \`node:https\`
request with the same body, alternating over ${rounds} rounds of ${requestsPerRound} on one core. Both ask the same server over TLS connections that
are kept open. CPU time is the whole process's, with garbage collection and compilation.

The SDK's document client ([decision 17](decisions/0017-client-options.md)) costs about a fifth with 20 in flight: marshalling
by hand with kept chains of middlewares took 5.48 × the raw request, the document client 6.72 and 6.73 ×, in runs one after the
other. With 1 in flight it was 3.82 × before and 3.79 to 4.54 × after, which is the noise of the machine.`;

function table(pairs: readonly Pair[]): string {
  const head = ['', 'GET, µs of CPU', 'raw, µs of CPU', 'ratio', 'GET, ms', 'raw, ms'];
  const rows = pairs.map((pair) => [
    `${pair.setting.inFlight} in flight`,
    spread(pair.read.cpuMicroseconds, 0),
    spread(pair.raw.cpuMicroseconds, 0),
    cpuRatio(pair).toFixed(2),
    spread(pair.read.milliseconds, 2),
    spread(pair.raw.milliseconds, 2),
  ]);
  return markdownTable(head, rows);
}

const checkIntroduction = `A check of ${usersPerCheck} users in one request, beside GETs, alternating in the same way.`;

function checkTable(pairs: readonly CheckPair[]): string {
  const head = ['', 'user of a check, µs of CPU', 'GET, µs of CPU', 'ratio', 'check, ms', 'GET, ms'];
  const rows = pairs.map((pair) => [
    `${pair.setting.inFlight} in flight`,
    spread(pair.check.cpuMicroseconds, 0),
    spread(pair.read.cpuMicroseconds, 0),
    checkRatio(pair).toFixed(2),
    spread(pair.check.milliseconds, 2),
    spread(pair.read.milliseconds, 2),
  ]);
  return markdownTable(head, rows);
}
