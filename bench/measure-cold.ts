import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awsEnvironment, startAwsStandIn } from './aws-stand-in.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { sampledContent, sampleRequests } from './sample-requests.ts';
import { median, pairedRatios, spread } from './statistics.ts';
import type { WarmKind } from './warm-processes.ts';
import { writeTable } from './written-table.ts';

const rounds = 21;
const [empty, raw] = ['empty handler', 'one raw HTTPS POST'] as const;
const [read, write, check] = ['GET access', 'PUT access', 'check of 100 users'] as const;

/** The flags that AWS's bootstrap passes to Node in a function of 1024 MB. */
const runtimeFlags = '--expose-gc --max-http-header-size=81920 --max-semi-space-size=51 --max-old-space-size=922';

/** A handler to start: the file that exports it, and its first request. */
type Starter = Omit<WarmKind, 'environment'>;

/** What is measured of a start; times count from the start of its process. */
type Aspect = 'loadMs' | 'answerMs' | 'cpuMs' | 'peakMegabytes';
type ColdStart = Readonly<Record<Aspect, number>>;
/** By label, in the order of the rounds. */
type ColdSamples = Readonly<Record<string, readonly ColdStart[]>>;

/** Starts new processes and measures them up to their first response: a read, a write and a check, and what they are compared with. */
export async function measureCold(context: BenchContext): Promise<Measurement> {
  const table = await writeTable(context, sampledContent);
  const { url, close } = await startAwsStandIn(table.dynamodb);
  try {
    context.progress(`${rounds} cold starts of each on one core`);
    const requests = sampleRequests(table);
    const file = join(context.directory, 'empty.cjs');
    writeFileSync(file, 'exports.handler = async () => ({ statusCode: 200 });\n');
    const samples = startAlternating(url, [
      { label: empty, file, invoke: requests.read },
      { label: raw, file: join(import.meta.dirname, 'raw-post.cjs'), invoke: requests.read },
      { label: read, file: table.fileOf('get-access'), invoke: requests.read },
      { label: write, file: table.fileOf('set-access'), invoke: requests.write },
      { label: check, file: table.fileOf('check-access'), invoke: requests.check },
    ]);
    const milliseconds = median(valuesOf(samples, read, 'answerMs'));
    return { budgets: budgetsOf(samples), milliseconds, samples, report: [introduction, tableOf(samples)] };
  } finally {
    close();
    await table.close();
  }
}

/**
 * Starts each in turn, every other round in reverse order, after one start of each that does not count. On one processor, as a
 * function of up to 1769 MB has.
 */
function startAlternating(url: string, starters: readonly Starter[]): ColdSamples {
  const samples = new Map(starters.map(({ label }): [string, ColdStart[]] => [label, []]));
  for (let round = -1; round < rounds; round++) {
    for (const starter of round % 2 === 0 ? starters : starters.toReversed()) {
      const sample = startOnce(starter, url);
      if (round >= 0) samples.get(starter.label)?.push(sample);
    }
  }
  return Object.fromEntries(samples);
}

function startOnce({ label, file, invoke }: Starter, url: string): ColdStart {
  const runner = join(import.meta.dirname, 'invoke-once.cjs');
  const node = [process.execPath, ...runtimeFlags.split(' '), runner];
  const startedAt = process.hrtime.bigint();
  const { output, stderr } = spawnSync('taskset', ['-c', '0', ...node, file, JSON.stringify(invoke().event)], {
    env: { PATH: process.env.PATH, ...awsEnvironment(url) },
    // Its log goes to a pipe, as on Lambda.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const { statusCode, loadedAt, answeredAt, cpuMicroseconds, peakKilobytes } = JSON.parse(output[3] || '{}');
  if (statusCode !== 200) throw new Error(`${label} answered ${statusCode}: ${stderr}`);
  const sinceStart = (moment: string) => Number(BigInt(moment) - startedAt) / 1e6;
  const [cpuMs, peakMegabytes] = [cpuMicroseconds / 1000, peakKilobytes / 1024];
  return { loadMs: sinceStart(loadedAt), answerMs: sinceStart(answeredAt), cpuMs, peakMegabytes };
}

function valuesOf(samples: ColdSamples, label: string, aspect: Aspect): number[] {
  return (samples[label] ?? []).map((sample) => sample[aspect]);
}

/** The median of the ratios of each round. */
const ratioIn = (samples: ColdSamples) => (label: string, aspect: Aspect, floor: string) =>
  median(pairedRatios(valuesOf(samples, label, aspect), valuesOf(samples, floor, aspect)));

function budgetsOf(samples: ColdSamples): Budget[] {
  const ratioOf = ratioIn(samples);
  const most = (names: readonly string[], aspect: Aspect, floor: string) =>
    Math.max(...names.map((name) => ratioOf(name, aspect, floor)));
  const others = [read, write];
  const all = [...others, check];
  return [
    atMost('load of the slowest endpoint / empty handler', most(all, 'loadMs', empty), 3.8, '×'),
    atMost('first answer of the slowest other endpoint / empty handler', most(others, 'answerMs', empty), 5.8, '×'),
    atMost('first answer of the slowest other endpoint / one raw HTTPS POST', most(others, 'answerMs', raw), 2.4, '×'),
    atMost('CPU to the first answer of the slowest other endpoint / raw', most(others, 'cpuMs', raw), 2.3, '×'),
    atMost('CPU to the first check of 100 users / raw', ratioOf(check, 'cpuMs', raw), 2.6, '×'),
    atMost('peak memory of the largest endpoint / empty handler', most(all, 'peakMegabytes', empty), 1.7, '×'),
  ];
}

const introduction = `A new process loads the function's asset as Lambda's runtime does, and answers one signed request. It has the flags that AWS's bootstrap
passes to Node for 1024 MB (\`${runtimeFlags}\`). A read makes three requests over two TLS connections on loopback (the root key from KMS,
the items, the key's first use of the day), a write one more. The check asks about 100 users and reads 200 items, so it has its own limit.
For comparison: an empty handler, and a single HTTPS POST without the SDK. ${rounds} rounds in alternating order on one
core; times count from the start of the process. The asset is the one that this machine deploys for arm64: source without [code cache](../decisions/0016-code-cache.md), and without [four parts of the SDK](../decisions/0015-trimmed-sdk.md). Other load on the machine lengthens the times, but hardly the CPU time. The memory limit was raised from 1.5 × to 1.7 × because the empty process has measured between 41 and 44 MB and a check holds 200 items. That is 67 of a function's 1,024 MB.`;

function tableOf(samples: ColdSamples): string {
  const ratioOf = ratioIn(samples);
  const head = ['', 'load, ms', '/ empty', 'first answer, ms', '/ empty', '/ raw', 'CPU, ms', '/ raw', 'peak MB'];
  const rows = Object.keys(samples).map((label) => [
    label,
    spread(valuesOf(samples, label, 'loadMs'), 1),
    ratioOf(label, 'loadMs', empty).toFixed(2),
    spread(valuesOf(samples, label, 'answerMs'), 1),
    ratioOf(label, 'answerMs', empty).toFixed(2),
    ratioOf(label, 'answerMs', raw).toFixed(2),
    spread(valuesOf(samples, label, 'cpuMs'), 1),
    ratioOf(label, 'cpuMs', raw).toFixed(2),
    median(valuesOf(samples, label, 'peakMegabytes')).toFixed(1),
  ]);
  return markdownTable(head, rows);
}
