import { join } from 'node:path';
import { createServiceCaller, type SentRequest } from '#shared/calls/call-service.ts';
import { awsEnvironment, invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import { synthesizeAssets } from './function-assets.ts';
import { createUsers, type LocalService, startLocalService } from './local-service.ts';
import { atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import type { LoadTarget } from './send-load.ts';
import { median, pairedRatios, spread } from './statistics.ts';

const rounds = 7;
const inFlight = 20;
const usersPerCheck = 100;
/** Requests of a round: about a second of CPU, which the kernel counts in hundredths. */
const perRound = { read: 1000, check: 100 } as const;
/** How much CPU a user of a check may take in the server's process, compared with the function alone. */
const limit = 2.5;

type Kind = keyof typeof perRound;

/** Microseconds of CPU of one decision. */
interface Sample {
  /** The function alone, invoked with the event. */
  readonly alone: number;
  /** The process of `npm start`, which received the request. */
  readonly server: number;
  /** The process of its emulator of DynamoDB. */
  readonly database: number;
}

/** A check of 100 users and a GET: the function alone, and behind the HTTP server of `npm start`. */
export async function measureHttp({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Starting npm start');
  const { fileOf } = await synthesizeAssets(directory);
  const standIn = await startAwsStandIn();
  const functions = openFunctions({ fileOf, environment: awsEnvironment(standIn.url) });
  const service = await startLocalService(join(directory, 'data'));
  try {
    const target = await createUsers(service.example, usersPerCheck);
    const samples: Record<Kind, Sample[]> = { read: [], check: [] };
    // The first round of each kind compiles, and is not counted.
    for (let round = -1; round < rounds; round++) {
      progress(`round ${round + 1} of ${rounds}`);
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        const sample = await sampleOnce(kind, { functions, service, target, isServedFirst: round % 2 === 0 });
        if (round >= 0) samples[kind].push(sample);
      }
    }
    return report(samples);
  } finally {
    await service.stop();
    await functions.close();
    standIn.close();
  }
}

const kinds: readonly Kind[] = ['read', 'check'];

interface Sides {
  readonly functions: OpenFunctions;
  readonly service: LocalService;
  readonly target: LoadTarget;
  readonly isServedFirst: boolean;
}

/** One sample of each side, one after the other, so that both see the same state of the machine. */
async function sampleOnce(kind: Kind, { functions, service, target, isServedFirst }: Sides): Promise<Sample> {
  const decisions = perRound[kind] * (kind === 'check' ? usersPerCheck : 1);
  const invoke = async () => {
    const invocation = invokeEndpoint(kind === 'check' ? 'check-access' : 'get-access');
    const { cpuMicroseconds } = await functions.run(new Array(perRound[kind]).fill(invocation), { inFlight });
    return { alone: cpuMicroseconds / decisions };
  };
  const serve = async () => {
    const before = service.cpuMicroseconds();
    await sendAll(kind, target);
    const after = service.cpuMicroseconds();
    return {
      server: (after.service - before.service) / decisions,
      database: (after.database - before.database) / decisions,
    };
  };
  if (isServedFirst) return { ...(await serve()), ...(await invoke()) };
  return { ...(await invoke()), ...(await serve()) };
}

/** Sends the requests of a round, each with its own signature; throws at a status other than 200. */
async function sendAll(kind: Kind, { baseUrl, keyId, secret, userIds }: LoadTarget): Promise<void> {
  const caller = createServiceCaller(baseUrl);
  const key = { keyId, secret };
  const sign = (at: number): SentRequest =>
    kind === 'check'
      ? caller.sign('check-access', { body: { userIds: [...userIds] } }, key)
      : caller.sign('get-access', { path: { userId: userIds[at % userIds.length] ?? '' } }, key);
  let sent = 0;
  const work = async () => {
    while (sent < perRound[kind]) {
      const { status, body } = await caller.send(sign(sent++));
      if (status !== 200) throw new Error(`A ${kind} was answered ${status}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
}

function report(samples: Readonly<Record<Kind, readonly Sample[]>>): Measurement {
  const of = (kind: Kind, side: keyof Sample) => samples[kind].map((sample) => sample[side]);
  const ratios = (kind: Kind) => pairedRatios(of(kind, 'server'), of(kind, 'alone'));
  const row = (label: string, kind: Kind) => [
    label,
    spread(of(kind, 'alone'), 0),
    spread(of(kind, 'server'), 0),
    spread(ratios(kind), 2),
    spread(of(kind, 'database'), 0),
  ];
  return {
    budgets: [
      atMost(
        `CPU per user of a check of ${usersPerCheck}, server / function alone`,
        median(ratios('check')),
        limit,
        '×',
      ),
    ],
    figures: {
      readFunctionMicroseconds: median(of('read', 'alone')),
      readServerMicroseconds: median(of('read', 'server')),
      readDatabaseMicroseconds: median(of('read', 'database')),
      checkFunctionMicroseconds: median(of('check', 'alone')),
      checkServerMicroseconds: median(of('check', 'server')),
      checkDatabaseMicroseconds: median(of('check', 'database')),
    },
    samples,
    report: [
      `Signed requests over HTTP to \`npm start\`, ${inFlight} in flight, and the same by the function alone, as above; ${rounds} rounds of ${perRound.read} GETs and ${perRound.check} checks, both sides in turn. *Server* is the whole process: the HTTP server, the rules of API Gateway and IAM, the function, its log. *Emulator* is the process that stands in for DynamoDB, which the server's figure does not include. The client's own time is in neither.`,
      markdownTable(
        ['µs of CPU', 'function alone', 'server', 'server / function', 'emulator'],
        [row('GET', 'read'), row(`check of ${usersPerCheck}, per user`, 'check')],
      ),
    ],
  };
}
