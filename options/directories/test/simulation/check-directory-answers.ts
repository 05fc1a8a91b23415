import { Histories } from '#test/simulation/invariants/histories.ts';
import type { Run } from '#test/simulation/run-seed.ts';
import {
  accountKey,
  accountOf,
  groupKey,
  groupOf,
  isLive,
  type StoredAccount,
  userKey,
  userOf,
} from '#test/simulation/stored-state.ts';
import { bounds } from '#test/simulation/swarm.ts';
import { timesOf } from './check-directory-order.ts';
import { directoriesIn } from './directories.ts';
import { type Directory, isUnavailable, type ScimAttempt, type ScimBody, type ScimCall } from './directory.ts';

/**
 * Checks that each response to a directory was true at some instant of its request, that a refused request of a user changed
 * nothing, that the last acknowledged word about each user holds, and that the lists at the end show what is stored.
 */
export function checkDirectoryAnswers(run: Run): string[] {
  const { commits, changes } = run;
  const directories = directoriesIn(run);
  if (directories.length === 0) return [];
  const histories = new Histories(commits);
  const makers = new Set(changes.map(({ change }) => change.requestId));
  return directories.flatMap((directory) => [
    ...directory.calls.flatMap((call) =>
      call.attempts.flatMap((attempt) => {
        const wrong = new DuringRequest(directory, call, attempt, histories).whatIsWrong(makers);
        return wrong === undefined ? [] : [`${attempt.requestId} ${call.method} ${call.path}: ${wrong}`];
      }),
    ),
    ...lastWords(directory, run),
    ...directory.calls.flatMap((call) => wrongList(directory, call, run)),
  ]);
}

/** What a directory says of a user. */
interface Said {
  readonly active?: boolean | undefined;
  readonly userName?: string | undefined;
}

/** What a request says of a user. */
export function saidBy({ method, body = {} }: ScimCall): Said {
  const { active, userName, Operations = [] } = body;
  if (method === 'DELETE') return { active: false };
  if (method === 'POST') return { active: active ?? true, userName };
  if (method === 'PUT') return { active, userName };
  const [{ path, value = '' } = {}] = Operations;
  if (path === 'active') return { active: value === 'True' };
  return typeof value === 'object' ? (value as Said) : {};
}

/** The stored state during one attempt. */
class DuringRequest {
  readonly #directory: Directory;
  readonly #call: ScimCall;
  readonly #attempt: ScimAttempt;
  readonly #histories: Histories;

  constructor(directory: Directory, call: ScimCall, attempt: ScimAttempt, histories: Histories) {
    this.#directory = directory;
    this.#call = call;
    this.#attempt = attempt;
    this.#histories = histories;
  }

  whatIsWrong(makers: ReadonlySet<string>): string | undefined {
    const { answer, requestId } = this.#attempt;
    const { method, path, ifMatch } = this.#call;
    // `checkDirectoryTokens` says when 401 is right.
    if (answer === undefined || isUnavailable(answer) || answer.status === 401 || method === 'GET') return undefined;
    const isOfUser = path.startsWith('/Users');
    if (answer.status < 300 && ifMatch !== undefined && !this.#versions().includes(ifMatch))
      return `succeeded although the version was never ${ifMatch}`;
    if (answer.status === 412)
      return this.#versions().some((version) => version !== ifMatch) ? undefined : 'was at the expected version';
    if (answer.status < 300) return isOfUser ? this.#wrongUser() : this.#wrongGroup();
    if (isOfUser && method !== 'DELETE' && makers.has(requestId))
      return `was refused (${answer.status}), but took effect`;
    const isRight = isOfUser ? this.#isUserRefused(answer.status) : this.#isGroupRefused(answer.status);
    return isRight ? undefined : `was refused although nothing justified ${JSON.stringify(answer)}`;
  }

  #wrongUser(): string | undefined {
    const { body = {} } = this.#attempt.answer ?? {};
    const { path, method } = this.#call;
    const said = saidBy(this.#call);
    const userId = path === '/Users' ? String(body.id) : path.slice('/Users/'.length);
    const accounts = this.#accountsOf(userId);
    if (method === 'DELETE')
      return accounts.some((account) => !this.#isManaged(account)) ? undefined : 'was not removed';
    if (said.active !== undefined && body.active !== said.active) return `answers active ${body.active}`;
    if (said.userName !== undefined && body.userName !== said.userName) return `answers the name ${body.userName}`;
    const holds = (account: StoredAccount | undefined) =>
      this.#isManaged(account) && account.active === body.active && account.userName === body.userName;
    return accounts.some(holds) ? undefined : `was not stored: ${JSON.stringify(body)}`;
  }

  #isUserRefused(status: number): boolean {
    const { path, method, body = {} } = this.#call;
    const { userIdAttribute } = this.#directory.swarm;
    const userId = path === '/Users' ? String(body[userIdAttribute]) : path.slice('/Users/'.length);
    const accounts = this.#accountsOf(userId);
    const users = this.#at(userKey(userId)).map(userOf);
    if (status === 404) return users.some((user) => !isLive(user)) || accounts.some((one) => !this.#isManaged(one));
    if (status !== 409) return false;
    const { userName } = saidBy(this.#call);
    // One who was removed gives the external id up to another, but returns if the directory creates somebody with it.
    const counts = (account: StoredAccount) => account.userId !== userId && (method === 'POST' || !account.removed);
    const isNamesake = (account: StoredAccount) =>
      counts(account) && (sameName(account.userName, userName) || account.externalId === body.externalId);
    if (this.#accountsOfAll().some(isNamesake)) return true;
    if (method !== 'POST') return false;
    const isOthers = accounts.some((account) => account?.connectionId !== this.#id && users.some(isLive));
    return isOthers || accounts.some((account) => account?.active === true);
  }

  #wrongGroup(): string | undefined {
    const { body: answered = {} } = this.#attempt.answer ?? {};
    const { path, method, body = {} } = this.#call;
    const groupId = path === '/Groups' ? String(answered.id) : path.slice('/Groups/'.length);
    const groups = this.#at(groupKey(this.#id, groupId)).map((item) => item && groupOf(item));
    if (method === 'DELETE') return groups.some((group) => group === undefined) ? undefined : 'was not deleted';
    // One that is deleted meanwhile gets no members.
    if (method !== 'POST' && groups.some((group) => group === undefined || group.deleting)) return undefined;
    const { displayName, added, removed } = namedBy(this.#call);
    if (displayName !== undefined && groups.every((group) => group?.displayName !== displayName))
      return 'has another name';
    if (this.#isReplacedMeanwhile()) return undefined;
    const everyone = new Set(this.#accountsOfAll().map(({ userId }) => userId));
    const left =
      removed ?? [...everyone].filter((userId) => method === 'PUT' && body.members && !added.includes(userId));
    const isMember = (account: StoredAccount | undefined) => account?.groups.includes(groupId) === true;
    const missing = added.filter((userId) =>
      this.#accountsOf(userId).every((account) => this.#isManaged(account) && !isMember(account)),
    );
    const remaining = left.filter((userId) => this.#accountsOf(userId).every(isMember));
    if (missing.length > 0) return `${missing} did not become members`;
    return remaining.length > 0 ? `${remaining} remained members` : undefined;
  }

  /** Whether another request replaces the group at the same time, so that no member of this one need ever be one. */
  #isReplacedMeanwhile(): boolean {
    const { sentAt, answeredAt = sentAt } = this.#attempt;
    const others = this.#directory.calls.filter(
      (call) => call !== this.#call && call.method === 'PUT' && call.path === this.#call.path,
    );
    const times = others.flatMap(({ attempts }) => attempts.map(timesOf));
    return times.some(({ from, to }) => from <= answeredAt && to >= sentAt);
  }

  #isGroupRefused(status: number): boolean {
    const { path } = this.#call;
    const { displayName, added } = namedBy(this.#call);
    const groups = this.#at(groupKey(this.#id, path.slice('/Groups/'.length)));
    if (status === 404) return groups.some((item) => item === undefined || item.deleting === true);
    if (status === 400) return added.some((userId) => this.#accountsOf(userId).some((one) => !this.#isManaged(one)));
    return status === 409 && this.#any((item) => groupOf(item)?.displayName === displayName).length > 0;
  }

  /** Of the user or group in the path. */
  #versions(): unknown[] {
    const [, type, id = ''] = this.#call.path.split('/');
    return this.#at(type === 'Users' ? accountKey(id) : groupKey(this.#id, id)).map((item) => item?.version);
  }

  get #id(): string {
    return this.#directory.swarm.connectionId;
  }

  #isManaged(account: StoredAccount | undefined): account is StoredAccount {
    return account?.connectionId === this.#id && !account.removed;
  }

  #accountsOf(userId: string): (StoredAccount | undefined)[] {
    return this.#at(accountKey(userId)).map(accountOf);
  }

  #accountsOfAll(): StoredAccount[] {
    const accounts = this.#any((item) => accountOf(item)?.connectionId === this.#id);
    return accounts.flatMap((item) => accountOf(item) ?? []);
  }

  #at(key: Parameters<Histories['during']>[0]) {
    return this.#histories.during(key, this.#attempt.sentAt, this.#attempt.answeredAt ?? 0);
  }

  #any(isMeant: Parameters<Histories['allDuring']>[0]) {
    return this.#histories.allDuring(isMeant, this.#attempt.sentAt, this.#attempt.answeredAt ?? 0);
  }
}

function sameName(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/** What a request says of a group and its members; `removed` is undefined for one that says who remains. */
export function namedBy({ method, body = {} }: ScimCall) {
  const idsOf = (members: unknown) => ((members ?? []) as NonNullable<ScimBody['members']>).map(({ value }) => value);
  if (method !== 'PATCH') return { displayName: body.displayName, added: idsOf(body.members), removed: undefined };
  const [{ op, path, value = '' } = {}] = body.Operations ?? [];
  if (path !== 'members') return { ...(value as { readonly displayName?: string }), added: [], removed: [] };
  return {
    displayName: undefined,
    added: op === 'add' ? idsOf(value) : [],
    removed: op === 'remove' ? idsOf(value) : [],
  };
}

/** When an attempt whose outcome is unknown can have had its last effect, by its latest answer. */
const lateMilliseconds = 2 * bounds.flightMilliseconds;
const longestRequest = 15_000;

interface Word {
  readonly active: boolean;
  readonly from: number;
  readonly to: number;
  readonly isAcknowledged: boolean;
}

/** Checks that what is stored is what an attempt said that no acknowledged one has followed. */
function lastWords({ swarm, calls }: Directory, { items }: Run): string[] {
  const accounts = items.flatMap((item) => accountOf(item) ?? []);
  return accounts.flatMap((account) => {
    if (account.connectionId !== swarm.connectionId) return [];
    const words = calls.flatMap((call) => call.attempts.flatMap((attempt) => wordOf(call, attempt, account.userId)));
    const isFollowed = ({ to }: Word) => words.some((later) => later.isAcknowledged && later.from > to);
    const last = words.filter((word) => !isFollowed(word));
    if (last.some(({ active }) => active === account.active)) return [];
    return [`${account.userId} is ${account.active}, and last was said: ${JSON.stringify(last)}`];
  });
}

function wordOf(call: ScimCall, { sentAt, answeredAt, answer }: ScimAttempt, userId: string): Word[] {
  const { method, path } = call;
  const { active } = saidBy(call);
  const isMeant = method === 'POST' ? path === '/Users' : path === `/Users/${userId}`;
  if (!isMeant || method === 'GET' || active === undefined) return [];
  if (answer === undefined || answeredAt === undefined || isUnavailable(answer)) {
    return [
      { active, from: sentAt, to: (answeredAt ?? sentAt + longestRequest) + lateMilliseconds, isAcknowledged: false },
    ];
  }
  const word = { active, from: sentAt, to: answeredAt };
  // Another request may have completed the removal that it began.
  if (answer.status >= 300) return method === 'DELETE' ? [{ ...word, isAcknowledged: false }] : [];
  return method === 'POST' && answer.body.id !== userId ? [] : [{ ...word, isAcknowledged: true }];
}

interface Listed {
  readonly id: string;
  readonly active?: boolean;
  readonly userName?: string;
  readonly displayName?: string;
  readonly members?: readonly { readonly value: string }[];
  readonly groups?: readonly { readonly value: string }[];
}

/** Checks a list that was read at the end. */
function wrongList({ swarm }: Directory, { kind, path, outcome, id }: ScimCall, { items }: Run): string[] {
  if (kind !== 'list' || outcome?.status !== 200) return [];
  const { Resources = [] } = outcome.body as { readonly Resources?: readonly Listed[] };
  const isOwn = ({ connectionId }: { readonly connectionId: string }) => connectionId === swarm.connectionId;
  const accounts = items
    .flatMap((item) => accountOf(item) ?? [])
    .filter((account) => isOwn(account) && !account.removed);
  const valuesOf = (named: Listed['members'] = []) => named.map(({ value }) => value).sort();
  const groups = items.flatMap((item) => groupOf(item) ?? []).filter(isOwn);
  const membersOf = (groupId: string) =>
    accounts.filter((one) => one.groups.includes(groupId)).map((one) => one.userId);
  const [shown, stored] =
    path === '/Users'
      ? [
          Resources.map((user) => [user.id, user.userName, user.active, valuesOf(user.groups)]),
          accounts.map((one) => [one.userId, one.userName, one.active, [...one.groups].sort()]),
        ]
      : [
          Resources.map((group) => [group.id, group.displayName, valuesOf(group.members)]),
          groups.map(({ groupId, displayName }) => [groupId, displayName, membersOf(groupId).sort()]),
        ];
  const inOrder = (rows: readonly unknown[]) => JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
  const isSame = inOrder(shown) === inOrder(stored);
  return isSame ? [] : [`${id} ${path} shows ${JSON.stringify(shown)}, but ${JSON.stringify(stored)} is stored`];
}
