import type { Invocation } from './create-events.ts';
import { type BenchContext, markdownTable } from './measurement.ts';
import { openFunctions } from './open-functions.ts';
import { median, pairedRatios, spread } from './statistics.ts';

const warmUps = 2000;
/** Of a kind in each process; fewer of a kind whose requests each ask about many users. */
export const requestsPerProcess = 2000;

/** A handler to compare: the file that exports it, its environment, and its request. */
export interface WarmKind {
  readonly label: string;
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A new request each time: a signature soon is too old. */
  readonly invoke: () => Invocation;
  /** The users that it asks about. Default: 1. */
  readonly users?: number;
}

/** Of one process; CPU per user, milliseconds per request. */
export type WarmSample = Readonly<Record<'cpuMicroseconds' | 'milliseconds', number>>;

/** By label and process; those with the same index ran one after the other. */
export type WarmSamples = Readonly<Record<string, readonly WarmSample[]>>;

/** Of each kind: a single process may be off by 15 % for its whole life. */
export const processes = 7;

/** Compares handlers that are warm, in turns, one request at a time, on the first processor. */
export async function compareWarm(kinds: readonly WarmKind[], { progress }: BenchContext): Promise<WarmSamples> {
  const samples = new Map(kinds.map(({ label }): [string, WarmSample[]] => [label, []]));
  for (let at = 1; at <= processes; at++) {
    progress(`process ${at} of ${processes}`);
    for (const kind of at % 2 === 0 ? kinds : kinds.toReversed()) samples.get(kind.label)?.push(await sampleOnce(kind));
  }
  return Object.fromEntries(samples);
}

async function sampleOnce({ file, environment, invoke, users = 1 }: WarmKind): Promise<WarmSample> {
  const functions = openFunctions({ fileOf: () => file, environment, pinned: true });
  // A check takes as long as a few GETs.
  const share = users === 1 ? 1 : 0.05;
  try {
    await functions.run(Array.from({ length: warmUps * share }, invoke));
    const { answers, cpuMicroseconds } = await functions.run(
      Array.from({ length: requestsPerProcess * share }, invoke),
    );
    const milliseconds = median(answers.map((answer) => answer.milliseconds));
    return { cpuMicroseconds: cpuMicroseconds / answers.length / users, milliseconds };
  } finally {
    await functions.close();
  }
}

/** What was measured of one kind, by process. */
export function warmValues(samples: WarmSamples, label: string, key: keyof WarmSample): number[] {
  return (samples[label] ?? []).map((sample) => sample[key]);
}

/** Its CPU time compared with that of another kind, by process. */
export function warmRatios(samples: WarmSamples, label: string, floor: string): number[] {
  return pairedRatios(warmValues(samples, label, 'cpuMicroseconds'), warmValues(samples, floor, 'cpuMicroseconds'));
}

/** A row for each kind, with the CPU time compared with that of the first. */
export function warmTable(samples: WarmSamples): string {
  const [floor = ''] = Object.keys(samples);
  const rows = Object.keys(samples).map((label) => [
    label,
    spread(warmValues(samples, label, 'cpuMicroseconds'), 0),
    label === floor ? '1' : spread(warmRatios(samples, label, floor), 2),
    spread(warmValues(samples, label, 'milliseconds'), 2),
  ]);
  return markdownTable(['', 'µs of CPU', '/ first', 'ms'], rows);
}
