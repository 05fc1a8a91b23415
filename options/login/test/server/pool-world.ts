import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { closeServer, listenOn } from '#local/listen.ts';
import type { StreamRecord } from '#shared/table/items/change-item.ts';
import { type TableInMemory, tableForEachTest } from '#test/support/table-in-memory.ts';
import { handler } from '../../functions/sync-login.ts';
import { StandInPool } from '../../local/stand-in-pool.ts';
import { answerAction } from '../../local/stand-in-service.ts';
import { type LoginChanges, loginFollower } from '../../server/login-follower.ts';

/** What happens to a call of Cognito: it is lost before or after it took effect, or refused with a code. */
export type PoolFault = 'before' | 'after' | { readonly code: string; readonly message?: string };

/** A table, a user pool over HTTP, and the function between them. */
export interface PoolWorld {
  readonly memory: TableInMemory;
  readonly pool: StandInPool;
  /** The actions that Cognito was asked for, and those that ended sessions. */
  readonly calls: string[];
  readonly signedOut: string[];
  /** The payloads with which the function was invoked, in the order of the stream. */
  readonly invocations: LoginChanges[];
  /** Called for each call of Cognito. */
  fault: ((action: string, input: { readonly Username?: string }) => PoolFault | undefined) | undefined;
  /** Whether Lambda takes no invocation. */
  isLambdaDown: boolean;
  /** Whether names ignore case, as in the stack's pool. */
  ignoresCase: boolean;
  /** Called after each call of Cognito that took effect. */
  afterCall: ((action: string) => Promise<unknown> | undefined) | undefined;
}

const poolId = 'local_People';

/** A world for each test of the file. Waiting takes no time. */
export function poolForEachTest(): PoolWorld {
  const memory = tableForEachTest();
  const world = { memory } as PoolWorld;
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(world, request, await json(request));
    if (status === 0) response.destroy();
    else response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  beforeAll(async () => {
    const url = `http://127.0.0.1:${await listenOn(server, 0)}`;
    const endpoints = { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: url, AWS_ENDPOINT_URL_LAMBDA: url };
    Object.assign(process.env, endpoints, { LOGIN_POOL_ID: poolId, SYNC_LOGIN_FUNCTION: 'sync-login' });
  });
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const signedOut: string[] = [];
    const pool = new StandInPool({
      id: poolId,
      onSignOut: (sub) => signedOut.push(pool.findBySub(sub)?.Username ?? ''),
    });
    const empty = {
      calls: [],
      signedOut,
      invocations: [],
      isLambdaDown: false,
      fault: undefined,
      afterCall: undefined,
    };
    Object.assign(world, { pool, ...empty });
    seen.clear();
  });
  afterAll(async () => {
    for (const name of ['LOGIN_POOL_ID', 'SYNC_LOGIN_FUNCTION', 'AWS_ENDPOINT_URL_LAMBDA']) delete process.env[name];
    delete process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER;
    await closeServer(server);
  });
  return world;
}

/** The status 0 ends the connection. */
async function answer(world: PoolWorld, { headers, url = '' }: IncomingMessage, input: unknown) {
  if (url.includes('/invocations')) {
    if (world.isLambdaDown) return { status: 500, body: {} };
    world.invocations.push(input as LoginChanges);
    return { status: 202, body: {} };
  }
  const target = `${headers['x-amz-target']}`;
  const action = target.replace(/.*\./, '');
  world.calls.push(action);
  const fault = world.fault?.(action, Object(input));
  if (fault === 'before') return { status: 0, body: {} };
  if (typeof fault === 'object') {
    return { status: 400, body: { __type: `com.amazonaws#${fault.code}`, message: fault.message ?? fault.code } };
  }
  const answered = answerAction(world.pool, target, world.ignoresCase ? inLowerCase(input) : input);
  await world.afterCall?.(action);
  return fault === 'after' ? { status: 0, body: {} } : answered;
}

function inLowerCase(input: unknown): object {
  const { Username, ...others } = Object(input) as { readonly Username?: string };
  return { ...others, ...(Username !== undefined && { Username: Username.toLowerCase() }) };
}

const seen = new Set<string>();

/** The Changes that were written since the last call, as the table's stream has them. */
export function newRecords({ memory }: PoolWorld): StreamRecord[] {
  const items = [...memory.table.items()].filter(({ sk, id }) => `${sk}`.includes('CHANGE#') && !seen.has(`${id}`));
  for (const { id } of items) seen.add(`${id}`);
  return items
    .sort((one, other) => (`${one.id}` < `${other.id}` ? -1 : 1))
    .map((item) => ({
      dynamodb: { SequenceNumber: `${item.id}`, NewImage: marshall(item, { removeUndefinedValues: true }) },
    }));
}

/** Gives the consumer of the stream a batch, by default what is new; returns the record from which it must get it again. */
export function deliver(world: PoolWorld, records = newRecords(world)): Promise<string | undefined> {
  return passing(loginFollower.take(records));
}

/** Invokes the function; without changes as the schedule does. */
export function invoke(changes: Partial<LoginChanges> = {}, milliseconds = 120_000): Promise<void> {
  const endsAt = Date.now() + milliseconds;
  return passing(handler(changes, { getRemainingTimeInMillis: () => endsAt - Date.now() }));
}

/** Delivers everything again, and runs what was invoked for it. */
export async function followAgain(world: PoolWorld): Promise<void> {
  seen.clear();
  await follow(world);
}

/** Delivers what is new, and runs what was invoked for it. */
export async function follow(world: PoolWorld): Promise<void> {
  await deliver(world);
  for (const changes of world.invocations.splice(0)) await invoke(changes);
}

/** The schedule, so much later. */
export async function sweep(afterMinutes = 3): Promise<void> {
  jest.setSystemTime(Date.now() + afterMinutes * 60_000);
  await invoke();
}

/** Lets time pass while a promise waits for it. */
export async function passing<Result>(promise: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined);
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(10);
  }
  return settled;
}
