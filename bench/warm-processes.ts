import { awsEnvironment } from './aws-stand-in.ts';
import type { Invocation } from './create-events.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { median, pairedRatios } from './statistics.ts';

export const rounds = 7;
const warmUps = 2000;
export const requestsPerRound = 300;

/** A handler to compare: the file that exports it, and its request, which is repeated within a round. */
export interface WarmKind {
  readonly label: string;
  readonly file: string;
  /** A new request for each round: a signature soon is too old. */
  readonly invoke: () => Invocation;
  /** Default: 200. */
  readonly expected?: number;
  /** The users that it asks about. Default: 1. */
  readonly users?: number;
  /** How many requests of it make a round. Default: 300. */
  readonly perRound?: number;
}

/** The medians of the rounds of one process, per request or per user of a check. */
export interface WarmSample {
  readonly cpuMicroseconds: number;
  /** Per request, even for a check. */
  readonly milliseconds: number;
}

/** By label and process; those with the same index ran side by side. */
export type WarmSamples = Readonly<Record<string, readonly WarmSample[]>>;

export interface WarmOptions {
  readonly inFlight: number;
  /** The same before anything is measured. Default: 20. */
  readonly warmUpInFlight?: number;
  /** Processes of each kind, one after the other. */
  readonly processes: number;
  /** The address of all of AWS. */
  readonly url: string;
  progress(line: string): void;
}

/** Compares handlers that are warm, all on the first processor. */
export async function compareWarm(kinds: readonly WarmKind[], options: WarmOptions): Promise<WarmSamples> {
  const { inFlight, processes, progress } = options;
  const samples = new Map(kinds.map(({ label }): [string, WarmSample[]] => [label, []]));
  for (let at = 0; at < processes; at++) {
    progress(`${inFlight} in flight, process ${at + 1} of ${processes}`);
    const found = await sampleProcesses(kinds, options);
    for (const [label, sample] of found) samples.get(label)?.push(sample);
  }
  return Object.fromEntries(samples);
}

interface Opened {
  readonly kind: WarmKind;
  readonly functions: OpenFunctions;
  readonly taken: WarmSample[];
}

/** Opens one process of each kind; they take turns, in alternating order. */
async function sampleProcesses(kinds: readonly WarmKind[], { url, inFlight, warmUpInFlight = 20 }: WarmOptions) {
  const opened = kinds.map((kind): Opened => {
    const functions = openFunctions({ fileOf: () => kind.file, environment: awsEnvironment(url), pinned: true });
    return { kind, functions, taken: [] };
  });
  try {
    for (const { kind, functions } of opened) {
      await functions.run(repeated(kind, warmUps), { inFlight: warmUpInFlight, expected: kind.expected ?? 200 });
    }
    for (let round = 0; round < rounds; round++) {
      for (const each of round % 2 === 0 ? opened : opened.toReversed()) await sampleOnce(each, inFlight);
    }
  } finally {
    await Promise.all(opened.map(({ functions }) => functions.close()));
  }
  return opened.map(({ kind, taken }): [string, WarmSample] => [kind.label, middle(taken)]);
}

async function sampleOnce({ kind, functions, taken }: Opened, inFlight: number): Promise<void> {
  const { expected = 200, users = 1 } = kind;
  const requests = repeated(kind, requestsPerRound);
  const { answers, cpuMicroseconds } = await functions.run(requests, { inFlight, expected });
  taken.push({
    cpuMicroseconds: cpuMicroseconds / requests.length / users,
    milliseconds: median(answers.map(({ milliseconds }) => milliseconds)),
  });
}

/** Fewer of a kind that takes longer. */
function repeated({ invoke, perRound = requestsPerRound }: WarmKind, usual: number): Invocation[] {
  return new Array(Math.round((usual * perRound) / requestsPerRound)).fill(invoke());
}

function middle(samples: readonly WarmSample[]): WarmSample {
  const of = (key: keyof WarmSample) => median(samples.map((sample) => sample[key]));
  return { cpuMicroseconds: of('cpuMicroseconds'), milliseconds: of('milliseconds') };
}

/** What was measured of one kind, by process. */
export function warmValues(samples: WarmSamples, label: string, key: keyof WarmSample): number[] {
  return (samples[label] ?? []).map((sample) => sample[key]);
}

/** Its CPU time compared with that of another kind, by process. */
export function warmRatios(samples: WarmSamples, label: string, floor: string): number[] {
  return pairedRatios(warmValues(samples, label, 'cpuMicroseconds'), warmValues(samples, floor, 'cpuMicroseconds'));
}
