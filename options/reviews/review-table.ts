import type { ApplicationView } from '#shared/contract/application.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import type { SetBy } from '#shared/contract/set-by.ts';
import {
  accessLabels,
  callerId,
  deciderLabels,
  describeOthers,
  nameCaller,
  userStatusLabels,
} from '#shared/contract/wording.ts';
import { createCsv, utcTime } from '#shared/csv/write-csv.ts';
import type { ReviewedUser } from './contract/access-review.ts';

/** One thing that a user holds in an application: a status that was set, or a role. */
export interface Holding {
  readonly user: ReviewedUser;
  readonly kind: 'status' | 'role';
  /** The status in words, or the name of the role. */
  readonly what: string;
  readonly since: string | null;
  /** `null` if it is not known. */
  readonly setBy: SetBy | null;
  /** `null` if it does not expire. */
  readonly end: string | null;
}

/** What a user holds: the status first, then the roles by name. */
export function holdingsOf(user: ReviewedUser): readonly Holding[] {
  const { explicit, status, statusSetBy, until, roles } = user;
  const since = statusSetBy?.at ?? null;
  const set = { user, kind: 'status', what: accessLabels[status], since, setBy: statusSetBy, end: until } as const;
  const granted = roles.map(({ name, grantedAt, grantedBy, expiresAt }): Holding => {
    return { user, kind: 'role', what: name, since: grantedAt, setBy: grantedBy, end: expiresAt };
  });
  return explicit ? [set, ...granted] : granted;
}

/** A file of who holds what in an application, written in parts: its head, the lines of more users, and its end. */
export interface ReviewFile {
  readonly begin: string;
  readonly add: (users: readonly ReviewedUser[]) => string;
  readonly end: string;
}

type ReviewedApplication = Pick<ApplicationView, 'appId' | 'name' | 'rolloutPercent'>;
const none = () => '';

/**
 * The list of an access review as a table for a spreadsheet, which needs no other file to be understood: a row for each user and
 * thing held, and at the end one for all other users.
 */
export function createReviewFile(
  { appId, name: appName, rolloutPercent }: ReviewedApplication,
  asOf: string,
): ReviewFile {
  const caller = (setBy: SetBy | null) => identify(setBy, appName);
  const held = (title: string, cell: (holding: Holding) => string | null, others: () => string = none) => {
    return {
      title,
      cell: (holding: Holding | undefined) => (holding === undefined ? others() : (cell(holding) ?? '')),
    };
  };
  const { head, lines } = createCsv<Holding | undefined>([
    held(
      'userName',
      ({ user }) => user.displayName,
      () => 'All other users',
    ),
    held('userId', ({ user }) => user.userId),
    held('email', ({ user }) => user.email),
    held(
      'access',
      ({ user }) => accessLabels[user.effectiveStatus],
      () => describeOthers(rolloutPercent),
    ),
    held(
      'decidedBy',
      ({ user }) => deciderLabels[user.decidedBy],
      () => (rolloutPercent >= fullRollout ? deciderLabels.default : deciderLabels.rollout),
    ),
    held('userStatus', ({ user }) => userStatusLabels[user.userStatus]),
    held('holds', ({ kind }) => (kind === 'role' ? 'Role' : 'Status')),
    held('what', ({ what }) => what),
    held('since', ({ since }) => timeOf(since)),
    held('byName', ({ setBy }) => caller(setBy).name),
    held('byId', ({ setBy }) => caller(setBy).id),
    held('reason', ({ setBy }) => setBy?.reason ?? null),
    held('ticket', ({ setBy }) => setBy?.ticket ?? null),
    held('ends', ({ end }) => timeOf(end)),
    held('lastChange', ({ user }) => timeOf(user.lastChange?.at ?? null)),
    held('lastChangeByName', ({ user }) => caller(user.lastChange).name),
    held('lastChangeById', ({ user }) => caller(user.lastChange).id),
    held('changeId', ({ setBy }) => setBy?.changeId ?? null),
    { title: 'appName', cell: () => appName },
    { title: 'appId', cell: () => appId },
    { title: 'asOf', cell: () => utcTime(asOf) },
  ]);
  return { begin: head, add: (users) => lines(users.flatMap(holdingsOf)), end: lines([undefined]) };
}

function timeOf(at: string | null): string | null {
  return at && utcTime(at);
}

/** An application signs its changes with one of its own keys; a connection is named by its id. */
function identify(setBy: SetBy | null, appName: string): { readonly name: string; readonly id: string } {
  if (setBy === null || setBy.caller === null) return { name: 'unknown', id: '' };
  const { caller } = setBy;
  if (caller.kind === 'api-key') return { name: appName, id: caller.keyId };
  return { name: caller.kind === 'connection' ? caller.connectionId : nameCaller(caller), id: callerId(caller) };
}
