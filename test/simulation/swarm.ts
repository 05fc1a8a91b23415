import type { ChangeAction } from '#shared/contract/change.ts';
import { clockSkewSeconds, flightSeconds } from '#shared/contract/time-bounds.ts';
import { Draw } from './draw.ts';
import type { EventOptions } from './feeds.ts';
import type { NetworkFaults } from './network.ts';
import type { TableFaults } from './simulated-dynamodb.ts';

/** What the service assumes about its environment, which the simulation therefore never exceeds. */
export const bounds = {
  /** The longest time between sending a request and its effect. */
  flightMilliseconds: flightSeconds * 1000,
  /** The skew of each clock; two clocks can differ by twice as much. */
  skewMilliseconds: (clockSkewSeconds * 1000) / 2,
};

/** The parameters drawn for each seed, so that each explores something different. */
export interface Swarm {
  readonly users: readonly string[];
  readonly apps: readonly string[];
  readonly roles: readonly string[];
  /** The probability that a user holds a role from the beginning. */
  readonly granted: number;
  readonly clients: number;
  readonly callsPerClient: number;
  readonly pauseMilliseconds: number;
  /** The probability that a client's pause lasts hours or days. */
  readonly longPause: number;
  /** The relative frequency of each kind of call. */
  readonly weights: Readonly<Record<CallKind, number>>;
  /** Of the deletions of roles and applications. */
  readonly forced: number;
  readonly maxAttempts: number;
  readonly lostCallAnswer: number;
  readonly replayed: number;
  readonly replayMilliseconds: number;
  readonly retryMilliseconds: number | undefined;
  readonly createdErrorSeconds: number;
  readonly skewMilliseconds: number;
  /** Processes read their clocks only to this precision. */
  readonly clockStepMilliseconds: number;
  /** How far the clocks of processes are wrong, in either direction: some minutes, or 0 as the service assumes. */
  readonly clockErrorMilliseconds: number;
  /** The limit of each application; undefined for none. */
  readonly requestsPerSecond: number | undefined;
  /** The actions that followers ask for; undefined for all. */
  readonly followedActions: readonly ChangeAction[] | undefined;
  readonly recycled: number;
  readonly crashed: number;
  readonly stalled: number;
  readonly stallMilliseconds: number;
  readonly network: NetworkFaults;
  readonly table: TableFaults;
  /** Whether the index lags by up to an hour: then no list is checked. */
  readonly isIndexLost: boolean;
  /** Periods in which most requests to the table are lost or refused. */
  readonly outages: readonly Outage[];
  /** `busFailure` is that of the calls of the event bus, and of the events of one. */
  readonly stream: Pick<EventOptions, 'busFailure' | 'streamDelayMilliseconds' | 'repeatedBatch'>;
  /** Whether all accesses of each application are set in one millisecond after the faults have ended. */
  readonly endsAtOnce: boolean;
  readonly eventDelayMilliseconds: number;
}

export interface Outage {
  readonly startMilliseconds: number;
  readonly lastsMilliseconds: number;
  readonly lostRequest: number;
  readonly lostTransaction: number;
  readonly lostAnswer: number;
  readonly throttled: number;
  readonly unprocessed: number;
  readonly slow: number;
}

export const callKinds = [
  'get-access',
  'check-access',
  'set-access',
  'assign-role',
  'revoke-role',
  'set-access-in-bulk',
  'set-user-status-in-bulk',
  'undo-change',
  'undo-bulk',
  'list-application-users',
  'create-user',
  'update-user',
  'set-user-status',
  'delete-user',
  'define-role',
  'delete-role',
  'create-application',
  'update-application',
  'delete-application',
  'issue-key',
  'rotate-key',
  'revoke-key',
] as const;
export type CallKind = (typeof callKinds)[number];

const usualWeights: Readonly<Record<CallKind, number>> = {
  'get-access': 4,
  'check-access': 2,
  'set-access': 8,
  'assign-role': 8,
  'revoke-role': 4,
  'set-access-in-bulk': 3,
  'set-user-status-in-bulk': 1,
  'undo-change': 5,
  'undo-bulk': 2,
  'list-application-users': 1,
  'create-user': 3,
  'update-user': 1,
  'set-user-status': 1,
  'delete-user': 3,
  'define-role': 3,
  'delete-role': 3,
  'create-application': 0.3,
  'update-application': 0.5,
  'delete-application': 0.5,
  'issue-key': 1,
  'rotate-key': 1,
  'revoke-key': 1,
};

/** The focus of a seed: everything, or a few calls that can conflict. */
interface Profile {
  readonly users: number;
  readonly apps: number;
  readonly roles: number;
  readonly callsPerClient: number;
  readonly pauses: readonly [number, ...number[]];
  readonly weights: Partial<Readonly<Record<CallKind, number>>>;
}

const anything: Profile = {
  users: 3,
  apps: 2,
  roles: 2,
  callsPerClient: 8,
  pauses: [0, 20, 500, 5000, 20_000],
  weights: usualWeights,
};
const oneAccess: Profile = {
  users: 2,
  apps: 1,
  roles: 1,
  callsPerClient: 8,
  pauses: [0, 500, 5000, 20_000],
  weights: { 'get-access': 1, 'set-access': 8, 'assign-role': 3, 'revoke-role': 3, 'define-role': 2, 'undo-change': 4 },
};
const roleNames: Profile = {
  users: 6,
  apps: 1,
  roles: 1,
  callsPerClient: 10,
  pauses: [500, 5000, 20_000],
  weights: {
    'assign-role': 8,
    'revoke-role': 2,
    'undo-change': 1,
    'define-role': 6,
    'delete-role': 5,
    'delete-user': 0.5,
    'create-user': 1,
  },
};
const userIds: Profile = {
  users: 1,
  apps: 2,
  roles: 1,
  callsPerClient: 10,
  pauses: [0, 20, 500, 5000],
  weights: {
    'create-user': 6,
    'delete-user': 5,
    'set-access': 6,
    'assign-role': 5,
    'set-user-status': 2,
    'undo-change': 2,
    'get-access': 1,
    'check-access': 1,
  },
};
/** Roles and an application that are deleted while unused. */
const hardlyUsed: Profile = {
  users: 2,
  apps: 1,
  roles: 2,
  callsPerClient: 8,
  pauses: [500, 5000],
  weights: {
    'set-access': 1,
    'undo-change': 1,
    'assign-role': 2,
    'revoke-role': 2,
    'define-role': 2,
    'delete-role': 3,
    'delete-user': 1,
    'create-user': 1,
    'delete-application': 1.5,
  },
};
const profiles = [anything, anything, anything, oneAccess, roleNames, userIds, hardlyUsed] as const;

/** Draws a swarm, whose ids end in the suffix. */
export function drawSwarm(suffix: string, random: () => number): Swarm {
  const draw = new Draw(random);
  const profile = draw.oneOf(...profiles);
  const names = (kind: string, most: number) =>
    Array.from({ length: draw.between(1, most) }, (_, n) => `${kind}${n + 1}-${suffix}`);
  const clients = draw.between(2, 4);
  const callsPerClient = draw.between(2, profile.callsPerClient);
  const pauseMilliseconds = draw.oneOf(...profile.pauses);
  const longest = callsPerClient * Math.max(pauseMilliseconds, 100);
  const clockErrorMilliseconds = draw.oneOf(0, 0, 0, 0, 0, 0, 150_000);
  const clockStepMilliseconds = draw.oneOf(1, 1, 1, 100, 1000);
  // A signature that is accepted for longer than its nonce is kept can be replayed.
  const replaying =
    clockErrorMilliseconds > 0 ? soonReplayed : draw.oneOf(soonReplayed, soonReplayed, soonReplayed, lateReplayed);
  const isIndexLost = draw.oneOf(false, false, false, true);
  return {
    users: names('u', profile.users),
    apps: names('a', profile.apps),
    roles: names('r', profile.roles),
    granted: draw.oneOf(0, 0.5, 1),
    clients,
    callsPerClient,
    pauseMilliseconds,
    longPause: draw.oneOf(0, 0, 0, 0.3),
    weights: drawWeights(draw, profile.weights),
    forced: draw.oneOf(0, 0.7, 1),
    maxAttempts: draw.between(1, 4),
    ...replaying(draw),
    skewMilliseconds: draw.oneOf(0, 100, bounds.skewMilliseconds),
    clockStepMilliseconds,
    clockErrorMilliseconds,
    requestsPerSecond: draw.oneOf(undefined, undefined, undefined, 1, 3),
    followedActions: draw.oneOf<readonly ChangeAction[] | undefined>(undefined, undefined, ...someActions),
    recycled: draw.rate(0.3),
    crashed: draw.rate(0.2),
    // With such a clock, a stalled process would know only a second too late that its time is up.
    stalled: clockStepMilliseconds > 100 ? 0 : draw.rate(0.5),
    stallMilliseconds: draw.oneOf(500, 5000, 12_000),
    network: drawNetwork(draw),
    table: { ...drawTable(draw), ...(isIndexLost && { indexLagMilliseconds: lostIndexMilliseconds }) },
    isIndexLost,
    outages: draw.oneOf(drawOutages, drawSlowness, drawLostTransactions)(draw, longest),
    stream: {
      busFailure: draw.rate(0.5),
      streamDelayMilliseconds: draw.oneOf(200, 5000, 300_000, 3_600_000),
      repeatedBatch: draw.rate(0.2),
    },
    endsAtOnce: draw.chance(0.5),
    eventDelayMilliseconds: draw.oneOf(10, 2000, 60_000),
  };
}

const someActions: readonly (readonly ChangeAction[])[] = [
  ['access.changed'],
  ['role.assigned', 'role.revoked'],
  ['user.status.changed', 'user.deleted', 'application.updated'],
];

/** Longer than any run except those with long pauses. */
const lostIndexMilliseconds = 3_600_000;

type ReplaySwarm = Pick<
  Swarm,
  'lostCallAnswer' | 'replayed' | 'replayMilliseconds' | 'retryMilliseconds' | 'createdErrorSeconds'
>;

function soonReplayed(draw: Draw): ReplaySwarm {
  const [lostCallAnswer, replayed] = [draw.rate(0.4), draw.rate(0.4)];
  return { lostCallAnswer, replayed, replayMilliseconds: 60_000, retryMilliseconds: undefined, createdErrorSeconds: 0 };
}

/** Attempts with the largest allowed clock skew, and replays for as long as a signature is valid. */
function lateReplayed(): ReplaySwarm {
  const times = { replayMilliseconds: 700_000, retryMilliseconds: 250_000, createdErrorSeconds: 290 };
  return { lostCallAnswer: 0.3, replayed: 0.6, ...times };
}

function drawWeights(draw: Draw, weights: Profile['weights']): Swarm['weights'] {
  return Object.fromEntries(
    callKinds.map((kind) => [kind, (weights[kind] ?? 0) * draw.oneOf(0.2, 1, 1, 1, 5)]),
  ) as Swarm['weights'];
}

function drawNetwork(draw: Draw): NetworkFaults {
  return {
    lostRequest: draw.rate(0.3),
    lostTransaction: draw.rate(0.3),
    lostAnswer: draw.rate(0.3),
    slow: draw.rate(0.5),
    slowMilliseconds: bounds.flightMilliseconds / 2,
    usualMilliseconds: draw.oneOf(2, 4, 40),
    unreadable: draw.rate(0.3),
  };
}

function drawTable(draw: Draw): TableFaults {
  return {
    throttled: draw.rate(0.3),
    failed: draw.rate(0.2),
    unprocessed: draw.rate(0.5),
    splitReadMilliseconds: draw.oneOf(0, 2, 50),
    transactionMilliseconds: draw.oneOf(0, 5, 50, bounds.flightMilliseconds / 2),
    indexLagMilliseconds: draw.oneOf(0, 100, 3000),
    ttlDelayMilliseconds: draw.oneOf(0, 60_000, 48 * 3_600_000),
    shortPage: draw.rate(0.5),
  };
}

function drawOutages(draw: Draw, longest: number): Outage[] {
  return Array.from({ length: draw.between(0, 2) }, () => ({
    startMilliseconds: draw.random() * longest,
    lastsMilliseconds: draw.oneOf(100, 3000, 15_000),
    lostRequest: draw.oneOf(0, 0.8),
    lostTransaction: draw.oneOf(0, 0.8),
    lostAnswer: draw.oneOf(0, 0.9),
    throttled: draw.oneOf(0, 0.8),
    unprocessed: draw.oneOf(0, 0.5),
    slow: draw.oneOf(0, 1),
  }));
}

/** Mostly a slow table that loses some requests, in which requests live longest. */
function drawSlowness(draw: Draw, longest: number): Outage[] {
  const [lostRequest, lostAnswer] = [draw.oneOf(0, 0.2, 0.4), draw.oneOf(0, 0.2, 0.4)];
  const [throttled, unprocessed] = [draw.oneOf(0, 0.3), draw.oneOf(0, 0.3)];
  const slowness = { lostRequest, lostTransaction: 0, lostAnswer, throttled, unprocessed, slow: draw.oneOf(0.5, 1) };
  return [0, 0.4, 0.8].map((part) => ({
    ...slowness,
    startMilliseconds: part * longest,
    lastsMilliseconds: draw.random() * (longest / 2 + 15_000),
  }));
}

/** Slow reads and temporarily lost writes, so that a write that needs a retry is given up. */
function drawLostTransactions(draw: Draw, longest: number): Outage[] {
  const slowness = { lostRequest: 0, lostAnswer: 0, throttled: 0, unprocessed: 0.5, slow: 1 };
  return draw.list(1, 3, () => ({
    ...slowness,
    lostTransaction: draw.oneOf(0.5, 0.9),
    startMilliseconds: draw.random() * longest,
    lastsMilliseconds: draw.oneOf(5000, 15_000),
  }));
}
