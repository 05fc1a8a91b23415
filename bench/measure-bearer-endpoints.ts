import { invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import { ask, bearerSamples, changeDirectoryUser, changeGroup, readDirectoryUser } from './bearer-requests.ts';
import { type ColdSamples, coldRatio, coldValues, floorsIn, startAlternating } from './cold-starts.ts';
import type { Invocation } from './create-events.ts';
import type { FunctionAssets } from './function-assets.ts';
import { synthesizeAssets } from './function-assets.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { userIdAt } from './populations.ts';
import { median, spread } from './statistics.ts';
import { compareWarm, requestsPerRound, rounds, type WarmSamples, warmRatios, warmValues } from './warm-processes.ts';

const coldRounds = 15;
const processes = 5;
/** On a machine with other work, 20 may wait longer than a request may take. */
const inFlight = 1;
const read = 'get-access';
/** The user of the directory. */
const user = userIdAt(0);

/** A request to an endpoint for connections. */
export interface BearerRequest {
  readonly label: string;
  readonly invoke: () => Invocation;
  /** Default: 200. */
  readonly expected?: number;
  /** Whether it changes the table. Default: false. */
  readonly writes?: boolean;
}

/** One request to each, and of a directory a read and a write. */
export const bearerRequests: readonly BearerRequest[] = [
  ...bearerSamples.map((sample) => ({
    label: sample.endpoint.name,
    invoke: () => ask(sample, [user]),
    expected: sample.expected,
  })),
  { label: 'scim-users, GET', invoke: () => readDirectoryUser(user) },
  { label: 'scim-users, PATCH', invoke: () => changeDirectoryUser(user, 'active', false), writes: true },
  // The stand-in keeps nothing: the user is in no group.
  { label: 'scim-groups, PATCH', invoke: () => changeGroup('remove', user), expected: 204, writes: true },
];

/** Warm and cold requests of connections, beside a GET of the Service API in the same run. */
export async function measureBearerEndpoints({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Synthesizing the stack');
  const assets = await synthesizeAssets(directory);
  const { url, close } = await startAwsStandIn();
  try {
    progress(`${coldRounds} cold starts of each on one core`);
    const cold = startAlternating([...floorsIn(directory), ...comparedIn(assets)], coldRounds, url);
    const warm = await compareWarm(comparedIn(assets), {
      inFlight,
      warmUpInFlight: inFlight,
      processes,
      url,
      progress,
    });
    return { ...resultOf(cold, warm), samples: { cold, warm } };
  } finally {
    close();
  }
}

function comparedIn({ fileOf }: FunctionAssets) {
  const own = { label: read, file: fileOf(read), invoke: (): Invocation => invokeEndpoint(read) };
  return [own, ...bearerRequests.map((each) => ({ ...each, file: fileOf(each.invoke().name) }))];
}

/** The budgets, and the report with a row for each request, from the samples of cold starts and of warm processes. */
export function resultOf(cold: ColdSamples, warm: WarmSamples): Pick<Measurement, 'budgets' | 'report'> {
  return { budgets: budgetsOf(cold, warm), report: [introduction, table(cold, warm)] };
}

function budgetsOf(cold: ColdSamples, warm: WarmSamples): Budget[] {
  const most = (writes: boolean, ratioOf: (label: string) => number) =>
    Math.max(...bearerRequests.filter((each) => (each.writes ?? false) === writes).map(({ label }) => ratioOf(label)));
  const warmOf = (label: string) => median(warmRatios(warm, label, read));
  const coldOf = (label: string) => coldRatio(cold, label, 'cpuMs', read);
  return [
    atMost('CPU of the slowest warm read / GET', most(false, warmOf), 1.5, '×'),
    atMost('CPU of the slowest warm write / GET', most(true, warmOf), 3.5, '×'),
    atMost(
      'CPU to the first answer of the slowest / get-access',
      Math.max(most(false, coldOf), most(true, coldOf)),
      1.5,
      '×',
    ),
  ];
}

const introduction = `Requests to the endpoints for connections beside a GET in the same run. Warm: ${processes} processes of each in turn, ${rounds} rounds of
${requestsPerRound} requests, ${inFlight} in flight. In a new process: ${coldRounds} rounds, as [above](#a-cold-start). The stand-in keeps nothing, so the group's user is no
member. The machine had other work: it lengthens the time of a load, but hardly the CPU time, and the ratios are those of the same round.`;

function table(cold: ColdSamples, warm: WarmSamples): string {
  const head = ['', 'warm: µs of CPU', '/ GET', 'new process: CPU, ms', '/ GET', 'load / GET', 'peak MB'];
  const rows = Object.keys(warm).map((label) => [
    label,
    spread(warmValues(warm, label, 'cpuMicroseconds'), 0),
    label === read ? '1' : spread(warmRatios(warm, label, read), 2),
    spread(coldValues(cold, label, 'cpuMs'), 1),
    coldRatio(cold, label, 'cpuMs', read).toFixed(2),
    coldRatio(cold, label, 'loadMs', read).toFixed(2),
    median(coldValues(cold, label, 'peakMegabytes')).toFixed(1),
  ]);
  return markdownTable(head, rows);
}
