import type { ChangedAccess } from '#shared/contract/access.ts';
import type { RoleName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import {
  type AccessSubject,
  type CurrentAccess,
  type Grant,
  readCurrentAccess,
  type StoredAccess,
  updateAccessEntries,
} from '#shared/table/items/access-item.ts';
import { type Application, reopenApplicationEntry } from '#shared/table/items/application-item.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { deleteMemberEntry, putMemberEntry } from '#shared/table/items/role-item.ts';
import { orderChangeEntry, requireUser, type User } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import { authorize, requireOpen } from '../request/authorize.ts';
import { buildChange } from '../request/build-change.ts';
import { monotonicTimestamp, requireSeen, requireVersion } from '../request/optimistic-locking.ts';
import { performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { requireReason } from '../request/require-reason.ts';
import { decideAccess } from './decide-access.ts';
import type { AccessChange } from './decide-access-change.ts';

/** The access to change, and the versions that the caller expects (`If-Match`); undefined allows any. */
export interface AccessCommand extends AccessSubject {
  readonly ifMatch?: readonly number[] | undefined;
  /** When the user existed already; undefined for any user with this id. */
  readonly seenAt?: string | undefined;
  /** In a dry run: the user that a change before this one would have created. */
  readonly assumedUser?: User | undefined;
}

/** The variable part of a change of an access. */
export interface AccessRule {
  /** Further items that the decision needs, such as a role's definition. */
  readonly extraKeys?: readonly Key[] | undefined;
  /** The change to write; undefined when nothing changes. Throws refusals. */
  readonly decide: (current: Pick<CurrentAccess, 'access' | 'extraItems'>, at: Date) => AccessChange | undefined;
}

/** The stored part of the answer: without the user id, which every attempt contains. */
type StoredAccessAnswer = Omit<ChangedAccess, 'userId'>;

/**
 * The one way to change an access: read, decide, write all or nothing. Two requests to the table; more only after a
 * conflict, with up to four retries.
 *
 * The transaction has the outcome of the call (must be new), the access (must have the version that was read), the user (must be
 * the one that was read, and gets the id of its latest Change), the Change, its entry in the feed, the member of a grant, and
 * with the first change of an access its entry in the application's list. The access gets the MAC of the Change, to which the
 * next one is linked. So no change is without its record, and no record without its change.
 */
export async function changeAccess(
  command: AccessCommand,
  context: RequestContext,
  rule: AccessRule,
): Promise<ChangedAccess> {
  return performWrite<ChangedAccess, StoredAccessAnswer>(context, {
    decide: async (key) => {
      const current = await readCurrentAccess({ ...command, extraKeys: rule.extraKeys });
      const application = await authorize(context, current.application, now());
      const user = requireUser(current.user ?? (context.dryRun === true ? command.assumedUser : undefined));
      const { access } = current;
      requireSeen(user, command.seenAt);
      requireVersion('access', access.version, command.ifMatch);
      requireOpen(application, now());
      const at = now();
      const change = rule.decide(current, at);
      if (change === undefined) {
        return { answer: { ...decideAccess({ application, user, access }, at), changed: false, changeId: null } };
      }
      requireReason(context, change, application);
      const { next, record } = applyChange(access, user, change, { context, key });
      return {
        answer: { ...decideAccess({ application, user, access: next }, at), changed: true, changeId: record.id },
        entries: [
          ...updateAccessEntries(access, next, record),
          orderChangeEntry(user, record.id),
          ...memberEntries(access, change),
          ...(change.entries ?? []),
          ...putChangeEntries(record),
        ],
        before: reopenings(application, change),
      };
    },
    toStored: ({ userId: _, ...answer }) => answer,
    fromStored: (stored) => ({ userId: command.userId, ...stored }),
  });
}

/**
 * Ends the closings that have passed by the clock of this process. By the clock of the request that closed it, one may still
 * last: its deletion then fails, instead of missing this change.
 */
function reopenings(application: Application, { reopening }: AccessChange): TransactEntry[] {
  const { closedUntil } = application;
  return [
    ...(closedUntil === undefined ? [] : [reopenApplicationEntry(application, closedUntil)]),
    ...(reopening === undefined ? [] : [reopening]),
  ];
}

interface Recording {
  readonly context: RequestContext;
  readonly key: ChainKey;
}

/** The next version of an access, with the Change that records it. */
function applyChange(access: StoredAccess, user: User, change: AccessChange, { context, key }: Recording) {
  const updatedAt = latestOf(monotonicTimestamp(access, user), ...grantTimes(change));
  const version = access.version + 1;
  const record = buildChange(context, key, {
    ...change,
    userId: access.userId,
    appId: access.appId,
    at: updatedAt,
    before: { ...change.before, version: access.version },
    after: { ...change.after, version },
    previous: access.chainHead,
  });
  const settings = referTo(record.id, change);
  return { record, next: { ...change.next, ...settings, version, updatedAt, userCreatedAt: user.createdAt } };
}

/** A grant can be dated by the clock that defined its role; what follows it must be later. */
function grantTimes({ granted = {} }: AccessChange): readonly string[] {
  return Object.values(granted).map(({ grantedAt }) => grantedAt);
}

function latestOf(first: string, ...others: readonly string[]): string {
  return others.reduce((latest, other) => (other > latest ? other : latest), first);
}

/** The status or the grants that a Change sets refer to it. An access without a status refers to none. */
function referTo(changeId: string, { action, next, granted = {} }: AccessChange) {
  if (action === 'access.changed') return { statusChangeId: next.status === null ? null : changeId };
  const grants = Object.entries(granted).map(([role, grant]): [string, Grant] => [role, { ...grant, changeId }]);
  return { roles: { ...next.roles, ...Object.fromEntries(grants) } };
}

/** Updates the roles' lists of members for grants that begin, change or end. */
function memberEntries({ appId, userId }: AccessSubject, { granted = {}, ended = [] }: AccessChange): TransactEntry[] {
  return [
    ...Object.entries(granted).map(([role, grant]) => putMemberEntry(appId, role as RoleName, { userId, ...grant })),
    ...ended.map((role) => deleteMemberEntry(appId, role as RoleName, userId)),
  ];
}
