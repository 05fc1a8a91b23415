import type { CallRecord } from '#test/simulation/clients.ts';
import { Histories } from '#test/simulation/invariants/histories.ts';
import type { Run } from '#test/simulation/run-seed.ts';
import { accessKey, isLive, type StoredAccess, type StoredChange, userKey } from '#test/simulation/stored-state.ts';
import { bounds } from '#test/simulation/swarm.ts';
import type { Item } from '../../../../local/memory/memory-table.ts';
import type { ImportOutcome, ImportUsersBody } from '../../contract/user-import.ts';

/**
 * Checks that an import makes only changes that its file asks for and its flags allow, each once and the status first, says what it
 * did, and leaves each user that it does not call failed as the file says, at some instant; and that a dry run makes none.
 */
export function checkImports({ calls, changes, commits }: Run): string[] {
  const imports = calls.filter(({ operation }) => operation === 'import-users');
  if (imports.length === 0) return [];
  const histories = new Histories(commits);
  return imports.flatMap((call) => {
    const requestIds = new Set(call.attempts.map(({ requestId }) => requestId));
    const made = changes.map(({ change }) => change).filter(({ requestId }) => requestIds.has(requestId));
    const body = call.input as ImportUsersBody;
    return [
      ...made.flatMap((change) => whyNotAsked(change, body) ?? []),
      ...repeated(made),
      ...body.users.flatMap((wanted, n) => new ImportedUser(call, wanted, made).wrong(outcomesOf(call)[n], histories)),
    ].map((text) => `${call.id} import-users: ${text}`);
  });
}

function outcomesOf({ outcome }: CallRecord): readonly (ImportOutcome | undefined)[] {
  return outcome?.kind === 'done' ? (outcome.body.items as readonly ImportOutcome[]) : [];
}

/** Why a change should not have been made; undefined if it is asked for and allowed. */
function whyNotAsked(change: StoredChange, body: ImportUsersBody): string | undefined {
  const { users, dryRun, bulkId } = body;
  const { action, userId } = change;
  const wanted = users.find((user) => user.userId === userId);
  const named = `${action} ${change.id} of ${userId}`;
  if (dryRun === true) return `${named} is of a dry run`;
  if (wanted === undefined) return `${named}, whom the file does not name`;
  // What deactivates a created user is no part of the bulk, so that undoing it activates nobody.
  if (change.bulkId !== bulkId && !(action === 'user.status.changed' && change.bulkId === undefined))
    return `${named} has the bulk ${change.bulkId}`;
  const wrong = (asked[action] ?? wrongRole)(change, wanted, body);
  return wrong === undefined ? undefined : `${named} ${wrong}`;
}

type Wanted = ImportUsersBody['users'][number];
type Rule = (change: StoredChange, wanted: Wanted, body: ImportUsersBody) => string | undefined;

/** What is wrong with a change of each kind; those of roles have a rule of their own. */
const asked: Readonly<Record<string, Rule>> = {
  'user.created': (_, __, { create }) => (create ? undefined : 'although it may create nobody'),
  'user.updated': (_, wanted) => ('displayName' in wanted || 'email' in wanted ? undefined : 'is not asked for'),
  'user.status.changed': ({ after }, { status }, { reactivate }) => {
    if (after?.status !== status) return `sets ${after?.status}`;
    return status === 'active' && !reactivate ? 'reactivates without confirmation' : undefined;
  },
  'access.changed': ({ appId, before, after, at }, { accesses }, { unblock }) => {
    const access = accesses.find((one) => one.appId === appId);
    if (access?.status !== after?.status) return `sets ${after?.status}`;
    const isBlocked = before?.status === 'disabled' && !(String(before.until) <= at);
    return isBlocked && after?.status === 'enabled' && !unblock ? 'unblocks without confirmation' : undefined;
  },
};

const wrongRole: Rule = ({ action, appId, role }, { roles }) => {
  const grant = roles.find((one) => one.appId === appId && one.role === role);
  return action === `role.${grant?.status}` ? undefined : `of ${role} is not asked for`;
};

function repeated(made: readonly StoredChange[]): string[] {
  const names = made.map(({ action, userId, appId, role }) => `${action} ${userId} ${appId} ${role}`);
  return names.filter((name, n) => names.indexOf(name) !== n).map((name) => `${name} was made twice`);
}

/** One user of an import, with the changes that it made. */
class ImportedUser {
  readonly #call: CallRecord;
  readonly #wanted: Wanted;
  readonly #made: readonly StoredChange[];

  constructor(call: CallRecord, wanted: Wanted, made: readonly StoredChange[]) {
    this.#call = call;
    this.#wanted = wanted;
    this.#made = made.filter(({ userId }) => userId === wanted.userId);
  }

  wrong(told: ImportOutcome | undefined, histories: Histories): string[] {
    const { userId } = this.#wanted;
    const late = this.#made.slice(1).filter(({ after, before }) => before !== null && after?.status === 'inactive');
    const isFirst = this.#made[0]?.action === 'user.created' || late.every(({ appId }) => appId !== undefined);
    return [
      ...(isFirst ? [] : [`${userId} was deactivated after other changes`]),
      ...(told === undefined ? [] : this.#wrongAnswer(told, histories)),
    ];
  }

  #wrongAnswer({ userId, outcome, changes, problems }: ImportOutcome, histories: Histories): string[] {
    if (userId !== this.#wanted.userId) return [`answers ${userId} in place of ${this.#wanted.userId}`];
    const isUnknown = problems.some(({ code }) => code === 'unavailable' || code === 'internal');
    const { dryRun } = this.#call.input as ImportUsersBody;
    if (isUnknown || dryRun === true) return [];
    // A later attempt of the call does not always name a change as the first one would have.
    const isFirst = this.#call.attempts.length === 1;
    const isTold = changes.length === this.#made.length && (outcome === 'unchanged') === (changes.length === 0);
    const told =
      outcome === 'failed' || !isFirst || isTold
        ? []
        : [`says ${JSON.stringify(changes)} of ${userId}, but made others`];
    return [...told, ...(outcome === 'failed' ? [] : this.#missing(histories))];
  }

  /** What the file asks for and the user never had during the call. */
  #missing(histories: Histories): string[] {
    const { userId, status, displayName, accesses, roles } = this.#wanted;
    const ever = (key: { readonly pk: string; readonly sk: string }, has: (item: Item) => boolean) =>
      histories
        .during(key, this.#call.startedAt, this.#call.endedAt ?? Number.POSITIVE_INFINITY)
        .some((item) => has(isLive(item) ? item : {}));
    const user = userKey(userId);
    const isOver = (end: string | null) =>
      end !== null && Date.parse(end) <= (this.#call.endedAt ?? 0) + bounds.skewMilliseconds;
    // There is nothing to revoke of a grant that has expired.
    const holds = (item: Item, role: string, set: string) => {
      const grant = (item.roles as StoredAccess['roles'] | undefined)?.[role];
      return set === 'assigned' ? grant !== undefined : grant === undefined || isOver(grant.expiresAt);
    };
    return [
      ...(status === undefined || ever(user, (item) => item.status === status)
        ? []
        : [`${userId} never was ${status}`]),
      ...(displayName === undefined || ever(user, (item) => (item.displayName ?? null) === displayName)
        ? []
        : [`${userId} never was called ${displayName}`]),
      ...accesses
        .filter(({ appId, status: set }) => !ever(accessKey(userId, appId), (item) => item.status === set))
        .map(({ appId, status: set }) => `${userId} never was ${set} in ${appId}`),
      ...roles
        .filter(({ appId, role, status: set }) => !ever(accessKey(userId, appId), (item) => holds(item, role, set)))
        .map(({ appId, role, status: set }) => `${role} of ${appId} never was ${set} for ${userId}`),
    ];
  }
}
