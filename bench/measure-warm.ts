import { join } from 'node:path';
import { invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import { synthesizeAssets } from './function-assets.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { median, spread } from './statistics.ts';
import {
  compareWarm,
  requestsPerRound,
  rounds,
  type WarmKind,
  type WarmSamples,
  warmRatios,
  warmValues,
} from './warm-processes.ts';

/** Processes of each kind, one after the other: a single process may be off by 15 % for its whole life. */
const processes = Number(process.env.WARM_PROCESSES ?? 7);
const usersPerCheck = 100;
const checksPerRound = 15;

/** How many requests are in flight, and how much more CPU than the raw request a GET may take. */
const settings = [
  { inFlight: 1, cpuLimit: 5 },
  { inFlight: 20, cpuLimit: 7.2 },
] as const;

/** How much CPU a user of a check may take compared with a GET. */
const checkLimit = 0.2;

interface Compared {
  readonly setting: (typeof settings)[number];
  readonly samples: WarmSamples;
}

/** A warm GET beside one raw HTTPS request with the same body, and beside a check of 100 users. */
export async function measureWarm({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Synthesizing the stack');
  const { fileOf } = await synthesizeAssets(directory);
  const { url, close } = await startAwsStandIn();
  try {
    const compared: Compared[] = [];
    for (const setting of settings) {
      const { inFlight } = setting;
      compared.push({ setting, samples: await compareWarm(kindsIn(fileOf), { inFlight, processes, url, progress }) });
    }
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

/** Fewer checks than GETs, because a check takes as long as many GETs. */
function kindsIn(fileOf: (name: string) => string): WarmKind[] {
  const read = () => invokeEndpoint('get-access');
  const check = () => invokeEndpoint('check-access');
  return [
    { label: 'raw', file: join(import.meta.dirname, 'raw-post.cjs'), invoke: read },
    { label: 'read', file: fileOf('get-access'), invoke: read },
    { label: 'check', file: fileOf('check-access'), invoke: check, users: usersPerCheck, perRound: checksPerRound },
  ];
}

function budgetsOf(compared: readonly Compared[]): Budget[] {
  return [
    ...compared.map(({ setting: { inFlight, cpuLimit }, samples }) => {
      const what = `CPU per GET / raw request, ${inFlight} in flight`;
      return atMost(what, median(warmRatios(samples, 'read', 'raw')), cpuLimit, '×');
    }),
    ...compared.map(({ setting: { inFlight }, samples }) => {
      const what = `CPU per user of a check of ${usersPerCheck} / GET, ${inFlight} in flight`;
      return atMost(what, median(warmRatios(samples, 'check', 'read')), checkLimit, '×');
    }),
  ];
}

/** The figure that the page's summary uses. */
function figuresOf([single]: readonly Compared[]): Record<string, number> {
  return { readMilliseconds1: median(single === undefined ? [] : warmValues(single.samples, 'read', 'milliseconds')) };
}

const introduction = `A GET from event to response, including verification and its log line, which is written to a pipe; a check of ${usersPerCheck} users; and a
bare \`node:https\` request with the body of the GET's read; no HTTP server receives them ([below](#behind-an-http-server) one does). All call the same server over keep-alive TLS connections.
${processes} processes of each kind in turn, ${rounds} rounds of ${requestsPerRound} requests (${checksPerRound} checks) on one core. The brackets show the spread between processes: a single one may be off by 15 %. CPU time is the whole process's, including garbage collection and compilation.`;

function table(compared: readonly Compared[]): string {
  const head = ['', 'µs of CPU', '/ raw', 'ms'];
  const label = { raw: 'raw request', read: 'GET', check: `check of ${usersPerCheck}, µs per user` } as const;
  const rows = compared.flatMap(({ setting: { inFlight }, samples }) =>
    (['raw', 'read', 'check'] as const).map((kind) => [
      `${label[kind]}, ${inFlight} in flight`,
      spread(warmValues(samples, kind, 'cpuMicroseconds'), 0),
      kind === 'raw' ? '1' : spread(warmRatios(samples, kind, 'raw'), 2),
      spread(warmValues(samples, kind, 'milliseconds'), 2),
    ]),
  );
  return markdownTable(head, rows);
}
