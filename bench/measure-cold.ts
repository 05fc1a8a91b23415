import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceOperationName, serviceOperations } from '#shared/contract/operations.ts';
import { awsEnvironment, invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import { type FunctionAssets, synthesizeAssets } from './function-assets.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { median, pairedRatios, spread } from './statistics.ts';

const rounds = 21;
const empty = 'empty handler';
const raw = 'one raw HTTPS POST';
const endpoints = Object.keys(serviceOperations) as ServiceOperationName[];
const labels = [empty, raw, ...endpoints];
const read = 'get-access';
/** Its request asks about 100 users and reads 200 items. */
const check = 'check-access';

/** The flags that AWS's bootstrap passes to Node in a function of 1024 MB. */
const runtimeFlags = [
  '--expose-gc',
  '--max-http-header-size=81920',
  '--max-semi-space-size=51',
  '--max-old-space-size=922',
] as const;

/** A handler to start: the file that exports it, and the endpoint whose request it gets. */
interface Starter {
  readonly label: string;
  readonly file: string;
  readonly endpoint: ServiceOperationName;
}

/** One cold start; times count from the start of its process. */
interface ColdStart {
  readonly loadMs: number;
  readonly answerMs: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

type Aspect = keyof ColdStart;

/** Samples by label, in the order of the rounds. */
type Samples = Readonly<Record<string, readonly ColdStart[]>>;

/**
 * Starts new processes and measures them up to their first response: each endpoint's asset, an empty handler and one raw HTTPS
 * POST. On one processor, as a function of up to 1769 MB has.
 */
export async function measureCold({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Synthesizing the stack');
  const assets = await synthesizeAssets(directory);
  const { url, close } = await startAwsStandIn();
  try {
    progress(`${rounds} cold starts of each on one core`);
    const samples = startAlternating(startersIn(directory, assets), url);
    return {
      budgets: budgetsOf(samples),
      figures: { answerMilliseconds: median(valuesOf(samples, read, 'answerMs')) },
      samples,
      report: [introduction, table(samples)],
    };
  } finally {
    close();
  }
}

function startersIn(directory: string, assets: FunctionAssets): Starter[] {
  const file = join(directory, 'empty.cjs');
  writeFileSync(file, 'exports.handler = async () => ({ statusCode: 200 });\n');
  return [
    { label: empty, file, endpoint: read },
    { label: raw, file: join(import.meta.dirname, 'raw-post.cjs'), endpoint: read },
    ...endpoints.map((name) => ({ label: name, file: assets.fileOf(name), endpoint: name })),
  ];
}

/** Starts each in turn, every other round in reverse order, after one start of each that does not count. */
function startAlternating(starters: readonly Starter[], url: string): Samples {
  for (const starter of starters) startOnce(starter, url);
  const samples = new Map(starters.map(({ label }): [string, ColdStart[]] => [label, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? starters : starters.toReversed();
    for (const starter of order) samples.get(starter.label)?.push(startOnce(starter, url));
  }
  return Object.fromEntries(samples);
}

function startOnce({ label, file, endpoint }: Starter, url: string): ColdStart {
  const event = JSON.stringify(invokeEndpoint(endpoint).event);
  const runner = join(import.meta.dirname, 'invoke-once.cjs');
  const command = ['-c', '0', process.execPath, ...runtimeFlags, runner, file, event];
  const startedAt = process.hrtime.bigint();
  const { output, stderr } = spawnSync('taskset', command, {
    env: { PATH: process.env.PATH, ...awsEnvironment(url) },
    // Its log goes to a pipe, as on Lambda.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const [, , , report] = output;
  if (!report) throw new Error(`${label} did not answer: ${stderr}`);
  const { statusCode, loadedAt, answeredAt, cpuMicroseconds, peakKilobytes } = JSON.parse(report);
  if (statusCode !== 200) throw new Error(`${label} answered ${statusCode}`);
  return {
    loadMs: Number(BigInt(loadedAt) - startedAt) / 1e6,
    answerMs: Number(BigInt(answeredAt) - startedAt) / 1e6,
    cpuMs: cpuMicroseconds / 1000,
    peakMegabytes: peakKilobytes / 1024,
  };
}

function budgetsOf(samples: Samples): Budget[] {
  const most = (names: readonly string[], aspect: Aspect, floor: string) =>
    Math.max(...names.map((name) => ratio(samples, name, aspect, floor)));
  const others = endpoints.filter((name) => name !== check);
  return [
    atMost('load of the slowest endpoint / empty handler', most(endpoints, 'loadMs', empty), 3.8, '×'),
    atMost('first answer of the slowest other endpoint / empty handler', most(others, 'answerMs', empty), 5.8, '×'),
    atMost('first answer of the slowest other endpoint / one raw HTTPS POST', most(others, 'answerMs', raw), 2.4, '×'),
    atMost('CPU to the first answer of the slowest other endpoint / raw', most(others, 'cpuMs', raw), 2.3, '×'),
    atMost('CPU to the first check of 100 users / raw', most([check], 'cpuMs', raw), 2.6, '×'),
    atMost('peak memory of the largest endpoint / empty handler', most(endpoints, 'peakMegabytes', empty), 1.7, '×'),
  ];
}

function ratio(samples: Samples, label: string, aspect: Aspect, floor: string): number {
  return median(pairedRatios(valuesOf(samples, label, aspect), valuesOf(samples, floor, aspect)));
}

function valuesOf(samples: Samples, label: string, aspect: Aspect): number[] {
  return (samples[label] ?? []).map((sample) => sample[aspect]);
}

const introduction = `A new process loads the function's asset as Lambda's runtime does, with the flags that AWS's bootstrap passes to Node for
1024 MB (\`${runtimeFlags.join(' ')}\`), and answers one signed
request: a read makes three requests over two TLS connections on loopback (the root key from KMS, the items, the key's first use of the day), a write one more; \`check-access\` asks about 100 users and reads 200 items, so it has its own limit.
For comparison: an empty handler, and a single HTTPS POST without the SDK. ${rounds} rounds in alternating order on one
core; times count from the start of the process. The asset is the one that this machine deploys for arm64: source without [code cache](../decisions/0016-code-cache.md), and without [four parts of the SDK](../decisions/0015-trimmed-sdk.md). Other load on the machine lengthens the times, but hardly the CPU time. The memory limit was raised from 1.5 × to 1.7 × because the empty process has measured between 41 and 44 MB and a check holds 200 items: 67 of a function's 1,024 MB.`;

function table(samples: Samples): string {
  const head = ['', 'load, ms', '/ empty', 'first answer, ms', '/ empty', '/ raw', 'CPU, ms', '/ raw', 'peak MB'];
  const rows = labels.map((label) => [
    label,
    spread(valuesOf(samples, label, 'loadMs'), 1),
    ratio(samples, label, 'loadMs', empty).toFixed(2),
    spread(valuesOf(samples, label, 'answerMs'), 1),
    ratio(samples, label, 'answerMs', empty).toFixed(2),
    ratio(samples, label, 'answerMs', raw).toFixed(2),
    spread(valuesOf(samples, label, 'cpuMs'), 1),
    ratio(samples, label, 'cpuMs', raw).toFixed(2),
    median(valuesOf(samples, label, 'peakMegabytes')).toFixed(1),
  ]);
  return markdownTable(head, rows);
}
