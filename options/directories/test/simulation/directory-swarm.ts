import { Draw, drawFrequencies } from '#test/simulation/draw.ts';
import type { Swarm } from '#test/simulation/swarm.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

/** One directory of a run. */
export interface DirectorySwarm {
  readonly connectionId: string;
  readonly userIdAttribute: 'userName' | 'externalId';
  readonly takeover: 'none' | 'matching';
  /** How many requests it sends at the same time. */
  readonly streams: number;
  readonly requestsPerStream: number;
  /** The names of its users, some of which differ only by case. */
  readonly userNames: readonly string[];
  readonly externalIds: readonly string[];
  readonly groupNames: readonly string[];
  readonly groupRoles: readonly { readonly group: string; readonly appId: string; readonly role: string }[];
  /** The relative frequency of each kind of request. */
  readonly weights: Readonly<Record<ScimKind, number>>;
  /** The probability that a request is sent again although it was answered, or while it is in progress. */
  readonly repeated: number;
  /** The probability that it sends, instead of one request, two at once about the same user or group. */
  readonly racing: number;
  /** What operators do with the connection meanwhile; undefined if they leave it as it is. */
  readonly administration: AdministrationSwarm | undefined;
}

/** What operators do with the connection of a directory. */
export interface AdministrationSwarm {
  readonly actions: number;
  /** Whether they delete the connection at the end. */
  readonly deletes: boolean;
  readonly weights: Readonly<Record<AdministrationKind, number>>;
}

export const administrationKinds = ['rotate-token', 'replace-token', 'revoke-token', 'map-groups'] as const;
export type AdministrationKind = (typeof administrationKinds)[number];

/** Requests, and decisions of people about the same users and roles. */
export const scimKinds = [
  'create-user',
  'set-active',
  'rename-user',
  'replace-user',
  'remove-user',
  'find-user',
  'create-group',
  'change-members',
  'replace-group',
  'rename-group',
  'remove-group',
  'person-decides',
] as const;
export type ScimKind = (typeof scimKinds)[number];

const usualWeights: Readonly<Record<ScimKind, number>> = {
  'create-user': 5,
  'set-active': 5,
  'rename-user': 3,
  'replace-user': 1,
  'remove-user': 2,
  'find-user': 1,
  'create-group': 3,
  'change-members': 12,
  'replace-group': 2,
  'rename-group': 1,
  'remove-group': 1,
  'person-decides': 5,
};

/** Requests of a directory are slow to simulate, so only every so many seeds have one. */
const directoryEvery = 11;
const firstDirectory = 5;
/** In these, requests meet. */
const firstContended = 8;

/** Whether the directories of a seed send several requests at once about the same few users and groups. */
export function isContended(seed: number): boolean {
  return seed % directoryEvery === firstContended;
}

/** Few users and hardly any other callers, so that most of the run's time is that of its directories. */
export function contendedSwarm(swarm: Swarm): Swarm {
  const { users, apps } = swarm;
  const names = [1, 2, 3].map((n) => String(users[0]).replace('u1', `u${n}`));
  const pauseMilliseconds = Math.min(swarm.pauseMilliseconds, 500);
  return { ...swarm, users: names, apps: apps.slice(0, 1), clients: 1, callsPerClient: 2, pauseMilliseconds };
}

/** Draws the directories of a seed, from numbers of their own: a seed without a directory is not changed by those of others. */
export function drawDirectories(seed: number, suffix: string, swarm: Swarm): DirectorySwarm[] {
  if (seed % directoryEvery !== firstDirectory && !isContended(seed)) return [];
  const draw = new Draw(seededRandom(~seed));
  const names = draw.oneOf(['okta'], ['okta'], ['okta', 'entra']);
  const drawOne = isContended(seed) ? drawContended : drawDirectory;
  return names.map((name) => drawOne(draw, `${name}-${suffix}`, swarm));
}

function drawContended(draw: Draw, connectionId: string, swarm: Swarm): DirectorySwarm {
  const streams = draw.oneOf(1, 2, 3);
  return {
    ...drawDirectory(draw, connectionId, swarm),
    streams,
    requestsPerStream: Math.ceil(draw.between(4, 8) / streams),
    racing: draw.oneOf(0.5, 0.9),
    administration: draw.chance(0.6) ? drawAdministration(draw) : undefined,
  };
}

function drawAdministration(draw: Draw): AdministrationSwarm {
  const usual = { 'rotate-token': 1, 'replace-token': 1, 'revoke-token': 1, 'map-groups': 2 };
  const weights = drawFrequencies(draw, administrationKinds, usual);
  return { actions: draw.between(1, 4), deletes: draw.chance(0.3), weights };
}

function drawDirectory(
  draw: Draw,
  connectionId: string,
  { users, apps, roles, callsPerClient }: Swarm,
): DirectorySwarm {
  const userIdAttribute = draw.oneOf('userName', 'externalId');
  const groupNames = ['Editors', 'Staff', 'Others'];
  const streams = draw.oneOf(1, 2, 3);
  const mapped = (group: string, names: readonly string[]) =>
    apps.flatMap((appId) => names.map((role) => ({ group, appId, role })));
  return {
    connectionId,
    userIdAttribute,
    takeover: draw.oneOf('none', 'matching', 'matching'),
    streams,
    requestsPerStream: Math.ceil((callsPerClient + draw.between(4, 12)) / streams),
    userNames: userIdAttribute === 'userName' ? users : ['Ada', 'ada', 'grace', 'Linus'],
    externalIds: userIdAttribute === 'externalId' ? users : ['00u1', '00u2'],
    groupNames,
    groupRoles: [...mapped('Editors', roles.slice(0, 1)), ...mapped('Staff', roles)],
    weights: drawFrequencies(draw, scimKinds, usualWeights),
    repeated: draw.rate(0.5),
    racing: 0,
    administration: undefined,
  };
}
