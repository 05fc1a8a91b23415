import type { CallRecord } from '#test/simulation/clients.ts';
import { Histories } from '#test/simulation/invariants/histories.ts';
import type { Run } from '#test/simulation/run-seed.ts';
import { accountKey, accountOf, groupKey, groupOf, type StoredAccount } from '#test/simulation/stored-state.ts';
import { bounds } from '#test/simulation/swarm.ts';
import { directoriesIn } from './directories.ts';
import type { Directory, ScimAttempt, ScimCall } from './directory.ts';
import { type Effect, effectOnGroup, effectOnUser, type GroupState, gone, type UserState } from './scim-effects.ts';

/**
 * Checks that what requests at the same time did to the status of a user, or to the members of a group, could have been done by the
 * same requests one after the other, with the same answers: of two that expect the same version, only one changes the group. Where the outcome of one is unknown, nothing is compared.
 */
export function checkDirectoryOrder(run: Run): string[] {
  const { swarm } = run;
  const directories = directoriesIn(run);
  if (directories.length === 0 || swarm === undefined) return [];
  const histories = new Histories(run.commits);
  const { users } = swarm;
  return directories.flatMap((directory) => {
    const stored = new Stored(directory, histories, users);
    const others = interruptions(run.calls, directory);
    return [
      ...users.flatMap((userId) => stored.wrongUser(userId, others)),
      ...groupIdsOf(directory).flatMap((groupId) => stored.wrongGroup(groupId, others)),
    ];
  });
}

/** A time in which the state may change otherwise. */
interface Interruption {
  readonly from: number;
  readonly to: number;
}

/** More requests at once have too many orders. */
const mostAtOnce = 6;

class Stored {
  readonly #directory: Directory;
  readonly #histories: Histories;
  readonly #users: readonly string[];

  constructor(directory: Directory, histories: Histories, users: readonly string[]) {
    this.#directory = directory;
    this.#histories = histories;
    this.#users = users;
  }

  wrongUser(userId: string, interrupted: readonly Interruption[]): string[] {
    const { calls, swarm } = this.#directory;
    const effects = calls.flatMap((call) => effectOnUser(call, userId, swarm) ?? []);
    const stateAt = (at: number): UserState => {
      const account = this.#accountAt(userId, at);
      return account === undefined || account.removed ? gone : account.active ? 'active' : 'inactive';
    };
    return wrongTogether(effects, interrupted, { stateAt, named: String }).map(
      (wrong) => `the user ${userId} ${wrong}`,
    );
  }

  wrongGroup(groupId: string, interrupted: readonly Interruption[]): string[] {
    const effects = this.#directory.calls.flatMap((call) => effectOnGroup(call, groupId) ?? []);
    const stateAt = (at: number) => this.#groupAt(groupId, at);
    const named = ({ members }: GroupState) => `[${members}]`;
    return wrongTogether(effects, interrupted, { stateAt, named }).map((wrong) => `the group ${groupId} ${wrong}`);
  }

  #groupAt(groupId: string, at: number): GroupState {
    const key = groupKey(this.#directory.swarm.connectionId, groupId);
    const item = this.#histories.during(key, at, at).at(-1);
    const group = item && groupOf(item);
    const isMember = (userId: string) => this.#accountAt(userId, at)?.groups.includes(groupId) === true;
    const members = group === undefined || group.deleting ? gone : this.#users.filter(isMember).sort();
    return { members, version: Number(item?.version ?? 0), isChanged: 'no' };
  }

  #accountAt(userId: string, at: number): StoredAccount | undefined {
    const account = accountOf(this.#histories.during(accountKey(userId), at, at).at(-1));
    return account?.connectionId === this.#directory.swarm.connectionId ? account : undefined;
  }
}

interface Observed<State> {
  readonly stateAt: (at: number) => State;
  readonly named: (state: State) => string;
}

function wrongTogether<State>(
  effects: readonly Effect<State>[],
  interrupted: readonly Interruption[],
  { stateAt, named }: Observed<State>,
): string[] {
  const unknown = effects.filter(({ call }) => !isKnown(call)).flatMap(({ call }) => call.attempts.map(timesOf));
  const known = effects.filter(({ call }) => isKnown(call));
  return togetherOf(known).flatMap((group) => {
    const [from, to] = [Math.min(...group.map(startOf)), Math.max(...group.map(endOf))];
    const isDisturbed = [...interrupted, ...unknown].some((one) => one.from <= to && one.to >= from);
    if (group.length > mostAtOnce || isDisturbed) return [];
    const [before, after] = [stateAt(from - 1), stateAt(to)];
    if (isExplained(before, named(after), group, named)) return [];
    const names = group.map(({ call }) => `${call.id} ${call.method} ${call.path}`).join(', ');
    return [`was ${named(before)} and is ${named(after)} after ${names}`];
  });
}

/** Whether the requests lead from one state to the other in some order that agrees with their times. */
function isExplained<State>(
  state: State,
  wanted: string,
  left: readonly Effect<State>[],
  named: (state: State) => string,
): boolean {
  if (left.length === 0) return named(state) === wanted;
  return left.some((next) => {
    const others = left.filter((other) => other !== next);
    if (others.some((other) => endOf(other) < startOf(next))) return false;
    const after = next.apply(state);
    return after !== undefined && isExplained(after, wanted, others, named);
  });
}

/** The requests whose times overlap, in groups. */
function togetherOf<State>(requests: readonly Effect<State>[]): Effect<State>[][] {
  const groups: Effect<State>[][] = [];
  for (const request of requests.toSorted((one, other) => startOf(one) - startOf(other))) {
    const last = groups.at(-1);
    if (last !== undefined && startOf(request) <= Math.max(...last.map(endOf))) last.push(request);
    else groups.push([request]);
  }
  return groups;
}

function startOf({ call }: { readonly call: ScimCall }): number {
  return call.startedAt;
}

/** Of a request with one attempt, which was answered. */
function endOf({ call }: { readonly call: ScimCall }): number {
  return Math.max(...call.attempts.map((attempt) => timesOf(attempt).to));
}

/** When it can have had effects: until its answer or, if that says nothing, as long as a write can take. */
export function timesOf({ sentAt, answeredAt, answer }: ScimAttempt): Interruption {
  const isOver = answer !== undefined && answer.status < 500;
  const to = answeredAt ?? sentAt + longestRequest;
  return { from: sentAt, to: isOver ? to : to + 2 * bounds.flightMilliseconds };
}

/** The timeout of the function, and the time on the way. */
const longestRequest = 15_000;

/** Whether the outcome is known. A replacement that is answered 401 may have taken effect before its token ended. */
function isKnown({ attempts }: ScimCall): boolean {
  const [{ answer } = {}, ...others] = attempts;
  return others.length === 0 && answer !== undefined && answer.status < 500 && answer.status !== 401;
}

/** What others do to the users of a directory: erasures, and the deletion of its connection. */
function interruptions(calls: readonly CallRecord[], { swarm }: Directory): Interruption[] {
  return calls.flatMap(({ operation, input, outcome, startedAt, endedAt }) => {
    const { connectionId } = input as { readonly connectionId?: string };
    const isItsEnd = operation === 'delete-connection' && connectionId === swarm.connectionId;
    if (operation !== 'delete-user' && !isItsEnd) return [];
    const isComplete = outcome?.kind === 'done' && outcome.body.complete === true;
    return [{ from: startedAt, to: isComplete && endedAt !== undefined ? endedAt : Number.POSITIVE_INFINITY }];
  });
}

function groupIdsOf({ calls }: Directory): string[] {
  const ids = calls.flatMap(({ path }) => (path.startsWith('/Groups/') ? [path.slice('/Groups/'.length)] : []));
  return [...new Set(ids)];
}
