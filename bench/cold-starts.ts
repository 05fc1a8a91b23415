import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awsEnvironment, invokeEndpoint } from './aws-stand-in.ts';
import type { Invocation } from './create-events.ts';
import { markdownTable } from './measurement.ts';
import { median, pairedRatios, spread } from './statistics.ts';

export const empty = 'empty handler';
export const raw = 'one raw HTTPS POST';

/** The flags that AWS's bootstrap passes to Node in a function of 1024 MB. */
export const runtimeFlags = [
  '--expose-gc',
  '--max-http-header-size=81920',
  '--max-semi-space-size=51',
  '--max-old-space-size=922',
] as const;

/** A handler to start: the file that exports it, and its first request. */
export interface Starter {
  readonly label: string;
  readonly file: string;
  /** A new request for each start. */
  readonly invoke: () => Invocation;
  /** Default: 200. */
  readonly expected?: number;
}

/** One cold start; times count from the start of its process. */
export interface ColdStart {
  readonly loadMs: number;
  readonly answerMs: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

export type Aspect = keyof ColdStart;

/** Samples by label, in the order of the rounds. */
export type ColdSamples = Readonly<Record<string, readonly ColdStart[]>>;

/** What functions are compared with. */
export function floorsIn(directory: string): Starter[] {
  const file = join(directory, 'empty.cjs');
  writeFileSync(file, 'exports.handler = async () => ({ statusCode: 200 });\n');
  const invoke = () => invokeEndpoint('get-access');
  return [
    { label: empty, file, invoke },
    { label: raw, file: join(import.meta.dirname, 'raw-post.cjs'), invoke },
  ];
}

/**
 * Starts each in turn, every other round in reverse order, after one start of each that does not count. On one processor, as a
 * function of up to 1769 MB has.
 */
export function startAlternating(starters: readonly Starter[], rounds: number, url: string): ColdSamples {
  for (const starter of starters) startOnce(starter, url);
  const samples = new Map(starters.map(({ label }): [string, ColdStart[]] => [label, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? starters : starters.toReversed();
    for (const starter of order) samples.get(starter.label)?.push(startOnce(starter, url));
  }
  return Object.fromEntries(samples);
}

function startOnce({ label, file, invoke, expected = 200 }: Starter, url: string): ColdStart {
  const event = JSON.stringify(invoke().event);
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
  if (statusCode !== expected) throw new Error(`${label} answered ${statusCode}`);
  return {
    loadMs: Number(BigInt(loadedAt) - startedAt) / 1e6,
    answerMs: Number(BigInt(answeredAt) - startedAt) / 1e6,
    cpuMs: cpuMicroseconds / 1000,
    peakMegabytes: peakKilobytes / 1024,
  };
}

/** The median of the ratios of each round. */
export function coldRatio(samples: ColdSamples, label: string, aspect: Aspect, floor: string): number {
  return median(pairedRatios(coldValues(samples, label, aspect), coldValues(samples, floor, aspect)));
}

/** What was measured of one handler, in the order of the rounds. */
export function coldValues(samples: ColdSamples, label: string, aspect: Aspect): number[] {
  return (samples[label] ?? []).map((sample) => sample[aspect]);
}

/** A row for each handler. */
export function coldTable(samples: ColdSamples): string {
  const head = ['', 'load, ms', '/ empty', 'first answer, ms', '/ empty', '/ raw', 'CPU, ms', '/ raw', 'peak MB'];
  const rows = Object.keys(samples).map((label) => [
    label,
    spread(coldValues(samples, label, 'loadMs'), 1),
    coldRatio(samples, label, 'loadMs', empty).toFixed(2),
    spread(coldValues(samples, label, 'answerMs'), 1),
    coldRatio(samples, label, 'answerMs', empty).toFixed(2),
    coldRatio(samples, label, 'answerMs', raw).toFixed(2),
    spread(coldValues(samples, label, 'cpuMs'), 1),
    coldRatio(samples, label, 'cpuMs', raw).toFixed(2),
    median(coldValues(samples, label, 'peakMegabytes')).toFixed(1),
  ]);
  return markdownTable(head, rows);
}
