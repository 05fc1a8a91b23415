import type { ChangedAccess } from '#shared/contract/access.ts';
import type { RoleName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import {
  type AccessSubject,
  type CurrentAccess,
  readCurrentAccess,
  updateAccessEntries,
} from '#shared/table/items/access-item.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { deleteMemberEntry, putMemberEntry } from '#shared/table/items/role-item.ts';
import { orderChangeEntry, requireUser, type User } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/keys.ts';
import { authorizeCaller, recordKeyUsage, requireOpen, requireScope } from '../api-key/authorize-caller.ts';
import { buildChange } from '../request/build-change.ts';
import { monotonicTimestamp, requireVersion } from '../request/optimistic-locking.ts';
import { type Decision, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { decideAccess } from './decide-access.ts';
import type { AccessChange } from './decide-access-change.ts';

/** Whose access is changed, and which versions of it the caller has seen (`If-Match`); undefined is any. */
export interface AccessCommand extends AccessSubject {
  readonly ifMatch?: readonly number[] | undefined;
}

/** How one write differs from another. */
export interface AccessRule {
  /** One more item that the decision needs, such as a role's definition. */
  readonly also?: Key | undefined;
  /** What to write; undefined when it already holds. Throws what it refuses. */
  readonly decide: (current: CurrentAccess, at: Date) => AccessChange | undefined;
}

/** What is stored of the answer; the id of the user is that of the request. */
type KeptAccess = Omit<ChangedAccess, 'userId'>;

/**
 * The one way to change an access: read, decide, write all or nothing. Two requests to the table; more only when
 * somebody else wrote in between, with up to four retries.
 */
export async function changeAccess(
  command: AccessCommand,
  context: RequestContext,
  rule: AccessRule,
): Promise<ChangedAccess> {
  const { userId } = command;
  return performWrite<ChangedAccess, KeptAccess>(context, {
    decide: async (key) => {
      const current = await readCurrentAccess({ ...command, also: rule.also });
      const authorized = authorizeCaller(context, current.application, now());
      await recordKeyUsage(context);
      requireScope(authorized, context);
      const user = requireUser(current.user);
      requireVersion('access', current.access.version, command.ifMatch);
      requireOpen(authorized.application, now());
      return decideWrite({ current, application: authorized.application, user, rule, context, key });
    },
    restore: (kept) => ({ userId, ...kept }),
  });
}

interface Attempt {
  readonly current: CurrentAccess;
  readonly application: Application;
  readonly user: User;
  readonly rule: AccessRule;
  readonly context: RequestContext;
  readonly key: ChainKey;
}

function decideWrite(attempt: Attempt): Decision<ChangedAccess, KeptAccess> {
  const { current, application, user, rule, context, key } = attempt;
  const { access } = current;
  const at = now();
  const change = rule.decide(current, at);
  if (change === undefined) {
    return decisionOf({ ...decideAccess({ application, user, access }, at), changed: false, changeId: null });
  }
  const updatedAt = monotonicTimestamp(access, user);
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
  const next = {
    ...change.next,
    ...statusChange(change, record.id),
    version,
    updatedAt,
    userCreatedAt: user.createdAt,
  };
  const answer = { ...decideAccess({ application, user, access: next }, at), changed: true, changeId: record.id };
  return decisionOf(answer, [
    ...updateAccessEntries(access, next, record),
    orderChangeEntry(user, record.id),
    ...memberEntries(access, change),
    putChangeEntry(record),
  ]);
}

/** A status that is none was set by nobody. */
function statusChange({ action, next }: AccessChange, changeId: string) {
  if (action !== 'access.changed') return {};
  return { statusChangeId: next.status === null ? null : changeId };
}

function decisionOf(answer: ChangedAccess, entries?: readonly TransactEntry[]): Decision<ChangedAccess, KeptAccess> {
  const { userId, ...kept } = answer;
  return { answer, kept, ...(entries && { entries }) };
}

/** The entries of a role's list of members for the grants that begin, change or end. */
function memberEntries({ appId, userId }: AccessSubject, { granted = {}, ended = [] }: AccessChange): TransactEntry[] {
  return [
    ...Object.entries(granted).map(([role, grant]) => putMemberEntry(appId, role as RoleName, { userId, ...grant })),
    ...ended.map((role) => deleteMemberEntry(appId, role as RoleName, userId)),
  ];
}
