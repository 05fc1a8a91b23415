import type { NetworkFaults } from './sdk-send.ts';
import type { TableFaults } from './simulated-dynamodb.ts';

/** Bounds that the service relies on: assumptions about its surroundings, and what follows from them. */
export const bounds = {
  /** Between a request that leaves a process and its effect. */
  flightMilliseconds: 3000,
  /** Of each clock from the true time: two differ by twice as much. */
  skewMilliseconds: 2500,
  indexLagMilliseconds: 2000,
};

/** What is drawn anew for each seed, so that each looks elsewhere. */
export interface Swarm {
  readonly users: readonly string[];
  readonly apps: readonly string[];
  readonly roles: readonly string[];
  readonly clients: number;
  readonly callsPerClient: number;
  readonly pauseMilliseconds: number;
  /** Of a client's pauses, that last hours or days. */
  readonly longPause: number;
  /** How often each kind of call is made, in relation to the others. */
  readonly weights: Readonly<Record<CallKind, number>>;
  readonly maxAttempts: number;
  readonly lostCallAnswer: number;
  readonly skewMilliseconds: number;
  readonly recycled: number;
  readonly crashed: number;
  readonly network: NetworkFaults;
  readonly table: TableFaults;
  /** Times in which most requests to the table are lost or refused. */
  readonly outages: readonly Outage[];
  /** Of the calls of the event bus, and of the events of one. */
  readonly busFailure: number;
  readonly eventDelayMilliseconds: number;
}

export interface Outage {
  readonly startMilliseconds: number;
  readonly lastsMilliseconds: number;
  readonly lostRequest: number;
  readonly lostAnswer: number;
  readonly throttled: number;
  readonly slow: number;
}

export const callKinds = [
  'get-access',
  'set-access',
  'assign-role',
  'revoke-role',
  'set-access-in-bulk',
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
  'set-access': 8,
  'assign-role': 8,
  'revoke-role': 4,
  'set-access-in-bulk': 1,
  'create-user': 3,
  'update-user': 1,
  'set-user-status': 1,
  'delete-user': 3,
  'define-role': 3,
  'delete-role': 3,
  'create-application': 0.3,
  'update-application': 0.5,
  'delete-application': 0.5,
  'issue-key': 0.5,
  'rotate-key': 0.5,
  'revoke-key': 0.5,
};

/** Draws a swarm; ids carry the seed, as processes keep what they know from one seed to the next. */
export function drawSwarm(seed: number, random: () => number): Swarm {
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const names = (kind: string, most: number) =>
    Array.from({ length: between(1, most) }, (_, n) => `${kind}${n + 1}-${seed}`);
  const oneOf = <T>(...options: readonly [T, ...T[]]): T =>
    options[Math.floor(random() * options.length)] ?? options[0];
  /** Often none at all: a fault everywhere hides what one fault at one place does. */
  const rate = (most: number) => (random() < 0.5 ? 0 : random() * random() * most);
  const clients = between(2, 4);
  const callsPerClient = between(2, 8);
  const pauseMilliseconds = oneOf(0, 20, 500, 5000, 20_000);
  const longest = callsPerClient * Math.max(pauseMilliseconds, 100);
  // Few items, and a table that is slow and loses much: where requests live longest and meet most.
  const isHostile = random() < 0.2;
  const most = (usual: number) => (isHostile ? 1 : usual);
  return {
    users: names('u', most(3)),
    apps: names('a', most(2)),
    roles: names('r', most(2)),
    clients,
    callsPerClient,
    pauseMilliseconds,
    longPause: oneOf(0, 0, 0, 0.3),
    weights: Object.fromEntries(callKinds.map((kind) => [kind, usualWeights[kind] * oneOf(0, 1, 1, 1, 5)])) as Record<
      CallKind,
      number
    >,
    maxAttempts: between(1, 4),
    lostCallAnswer: rate(0.4),
    skewMilliseconds: oneOf(0, 100, bounds.skewMilliseconds),
    recycled: rate(0.3),
    crashed: rate(0.2),
    network: {
      lostRequest: rate(0.3),
      lostAnswer: rate(0.3),
      slow: rate(0.5),
      slowMilliseconds: bounds.flightMilliseconds / 2,
      usualMilliseconds: oneOf(2, 4, 40),
    },
    table: {
      throttled: rate(0.3),
      failed: rate(0.2),
      unprocessed: rate(0.5),
      splitReadMilliseconds: oneOf(0, 2, 50),
      transactionMilliseconds: oneOf(0, 5, 50, bounds.flightMilliseconds / 2),
      indexLagMilliseconds: oneOf(0, 100, bounds.indexLagMilliseconds),
      ttlDelayMilliseconds: oneOf(0, 60_000, 48 * 3_600_000),
      shortPage: rate(0.5),
    },
    outages: Array.from({ length: isHostile ? 5 : oneOf(0, 0, 1, 3) }, () => ({
      startMilliseconds: random() * longest,
      lastsMilliseconds: isHostile ? 60_000 : oneOf(100, 3000, 15_000),
      lostRequest: oneOf(0, 0, 0.4, 0.8),
      lostAnswer: oneOf(0, 0.2, 0.4, 0.9),
      throttled: oneOf(0, 0, 0.8),
      slow: oneOf(0, 0.5, 1),
    })),
    busFailure: rate(0.5),
    eventDelayMilliseconds: oneOf(10, 2000, 60_000),
  };
}
