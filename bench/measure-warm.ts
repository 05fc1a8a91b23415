import { join } from 'node:path';
import { awsEnvironment, invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import { synthesizeAssets } from './function-assets.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { median, pairedRatios, spread } from './statistics.ts';

/** Processes of each kind, one after the other: a single process may be off by 15 % for its whole life. */
const processes = Number(process.env.WARM_PROCESSES ?? 7);
const rounds = 7;
const warmUps = 2000;
const requestsPerRound = 300;
const usersPerCheck = 100;
const checksPerRound = 15;

/** How many requests are in flight, and how much more CPU than the raw request a GET may take. */
const settings = [
  { inFlight: 1, cpuLimit: 5 },
  { inFlight: 20, cpuLimit: 7.2 },
] as const;

/** How much CPU a user of a check may take compared with a GET. */
const checkLimit = 0.2;

type Setting = (typeof settings)[number];
type Kind = 'raw' | 'read' | 'check';

/** The medians of the rounds of one process, per request or per user of a check. */
interface Sample {
  readonly cpuMicroseconds: number;
  /** Per request, even for a check. */
  readonly milliseconds: number;
}

interface Compared {
  readonly setting: Setting;
  /** By process; those with the same index ran side by side. */
  readonly samples: Readonly<Record<Kind, readonly Sample[]>>;
}

/** A warm GET beside one raw HTTPS request with the same body, and beside a check of 100 users. */
export async function measureWarm({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Synthesizing the stack');
  const { fileOf } = await synthesizeAssets(directory);
  const { url, close } = await startAwsStandIn();
  try {
    const compared: Compared[] = [];
    for (const setting of settings) compared.push(await compareKinds(setting, fileOf, url, progress));
    return {
      budgets: budgetsOf(compared),
      figures: figuresOf(compared),
      samples: { compared },
      report: [introduction, table(compared)],
    };
  } finally {
    close();
  }
}

async function compareKinds(
  setting: Setting,
  fileOf: (name: string) => string,
  url: string,
  progress: BenchContext['progress'],
): Promise<Compared> {
  const files = {
    raw: join(import.meta.dirname, 'raw-post.cjs'),
    read: fileOf('get-access'),
    check: fileOf('check-access'),
  };
  const samples: Record<Kind, Sample[]> = { raw: [], read: [], check: [] };
  for (let at = 0; at < processes; at++) {
    progress(`${setting.inFlight} in flight, process ${at + 1} of ${processes}`);
    const found = await sampleProcesses(setting, files, url);
    for (const kind of kinds) samples[kind].push(found[kind]);
  }
  return { setting, samples };
}

const kinds: readonly Kind[] = ['raw', 'read', 'check'];

/** Opens one process of each kind; they take turns, in alternating order. */
async function sampleProcesses(
  { inFlight }: Setting,
  files: Readonly<Record<Kind, string>>,
  url: string,
): Promise<Record<Kind, Sample>> {
  const open = (kind: Kind) =>
    openFunctions({ fileOf: () => files[kind], environment: awsEnvironment(url), pinned: true });
  const opened: Record<Kind, OpenFunctions> = { raw: open('raw'), read: open('read'), check: open('check') };
  const taken: Record<Kind, Sample[]> = { raw: [], read: [], check: [] };
  try {
    for (const kind of kinds) await opened[kind].run(invocations(kind, warmUps), { inFlight: 20 });
    for (let round = 0; round < rounds; round++) {
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        taken[kind].push(await sampleOnce(kind, opened[kind], inFlight));
      }
    }
  } finally {
    await Promise.all(Object.values(opened).map((each) => each.close()));
  }
  return { raw: middle(taken.raw), read: middle(taken.read), check: middle(taken.check) };
}

async function sampleOnce(kind: Kind, functions: OpenFunctions, inFlight: number): Promise<Sample> {
  const requests = invocations(kind, requestsPerRound);
  const { answers, cpuMicroseconds } = await functions.run(requests, { inFlight });
  const users = kind === 'check' ? usersPerCheck : 1;
  return {
    cpuMicroseconds: cpuMicroseconds / requests.length / users,
    milliseconds: median(answers.map(({ milliseconds }) => milliseconds)),
  };
}

/** Fewer checks than GETs, because a check takes as long as many GETs. */
function invocations(kind: Kind, reads: number) {
  const checks = Math.round((reads * checksPerRound) / requestsPerRound);
  return kind === 'check'
    ? new Array(checks).fill(invokeEndpoint('check-access'))
    : new Array(reads).fill(invokeEndpoint('get-access'));
}

function middle(samples: readonly Sample[]): Sample {
  const of = (key: keyof Sample) => median(samples.map((sample) => sample[key]));
  return { cpuMicroseconds: of('cpuMicroseconds'), milliseconds: of('milliseconds') };
}

function valuesOf({ samples }: Compared, kind: Kind, key: keyof Sample): number[] {
  return samples[kind].map((sample) => sample[key]);
}

function ratiosOf(compared: Compared, kind: Kind, floor: Kind): number[] {
  return pairedRatios(valuesOf(compared, kind, 'cpuMicroseconds'), valuesOf(compared, floor, 'cpuMicroseconds'));
}

function budgetsOf(compared: readonly Compared[]): Budget[] {
  return [
    ...compared.map((each) => {
      const { inFlight, cpuLimit } = each.setting;
      const what = `CPU per GET / raw request, ${inFlight} in flight`;
      return atMost(what, median(ratiosOf(each, 'read', 'raw')), cpuLimit, '×');
    }),
    ...compared.map((each) => {
      const what = `CPU per user of a check of ${usersPerCheck} / GET, ${each.setting.inFlight} in flight`;
      return atMost(what, median(ratiosOf(each, 'check', 'read')), checkLimit, '×');
    }),
  ];
}

/** The figure that the page's summary uses. */
function figuresOf([single]: readonly Compared[]): Record<string, number> {
  return { readMilliseconds1: median(single === undefined ? [] : valuesOf(single, 'read', 'milliseconds')) };
}

const introduction = `A GET from event to response, including verification and its log line, which is written to a pipe; a check of ${usersPerCheck} users; and a
bare \`node:https\` request with the body of the GET's read; no HTTP server receives them ([below](#behind-an-http-server) one does). All call the same server over keep-alive TLS connections.
${processes} processes of each kind in turn, ${rounds} rounds of ${requestsPerRound} requests (${checksPerRound} checks) on one core. The brackets show the spread between processes: a single one may be off by 15 %. CPU time is the whole process's, including garbage collection and compilation.`;

function table(compared: readonly Compared[]): string {
  const head = ['', 'µs of CPU', '/ raw', 'ms'];
  const label = { raw: 'raw request', read: 'GET', check: `check of ${usersPerCheck}, µs per user` } as const;
  const rows = compared.flatMap((each) =>
    kinds.map((kind) => [
      `${label[kind]}, ${each.setting.inFlight} in flight`,
      spread(valuesOf(each, kind, 'cpuMicroseconds'), 0),
      kind === 'raw' ? '1' : spread(ratiosOf(each, kind, 'raw'), 2),
      spread(valuesOf(each, kind, 'milliseconds'), 2),
    ]),
  );
  return markdownTable(head, rows);
}
