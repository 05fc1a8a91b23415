import { seededRandom } from '../../bench/statistics.ts';
import { Draw, drawFrequencies } from './draw.ts';
import type { Swarm } from './swarm.ts';

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
}

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

/** Draws the directories of a seed, from numbers of their own: a seed without a directory is not changed by those of others. */
export function drawDirectories(seed: number, suffix: string, swarm: Swarm): DirectorySwarm[] {
  if (seed % directoryEvery !== firstDirectory) return [];
  const draw = new Draw(seededRandom(~seed));
  const names = draw.oneOf(['okta'], ['okta'], ['okta', 'entra']);
  return names.map((name) => drawDirectory(draw, `${name}-${suffix}`, swarm));
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
  };
}
