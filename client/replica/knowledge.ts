import type { ReplicaChange } from './access-replica.ts';
import { decideLocally, type ReplicaState, type ServiceTime } from './decide-locally.ts';
import { addFact, evaluate, type Fact, timeOfChange, withoutOrder } from './user-facts.ts';

/** What a replica knows now; tells when a decision changes. */
export interface Knowledge {
  /** Undefined before the first load. */
  state: ReplicaState | undefined;
  /** Takes a step, after which the decisions about these users may be others. */
  change(userIds: Iterable<string>, step: () => void): void;
  stop(): void;
}

/** What a page says: the facts of users, and what versions of the application have set. */
export interface Page {
  readonly facts: readonly Fact[];
  readonly rollouts: readonly ReplicaState['rollout'][];
}

/** Adds what was read and checked, which cannot fail. */
export function addPage(state: ReplicaState, { facts, rollouts }: Page): void {
  for (const fact of facts) addFact(state.users, fact);
  for (const rollout of rollouts) if (rollout[1] > state.rollout[1]) state.rollout = rollout;
}

/**
 * So long the order of changes is remembered before all was known for the last time: much longer than the 15 seconds for
 * which an earlier change may still come.
 */
const rememberedMs = 300_000;
/** Beyond it `setTimeout` fires at once. */
const maxDelayMs = 2 ** 31 - 1;
/** Ends that follow closely are told together. */
const minDelayMs = 100;

export function createKnowledge(now: () => ServiceTime, tell: (change: ReplicaChange) => unknown): Knowledge {
  /** The users to look at again, and when. */
  const looks = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout>;

  function decide(userId: string, time: number): string | undefined {
    return knowledge.state && JSON.stringify(decideLocally(knowledge.state, userId, [time, 0]));
  }

  /** When to look at a user again; forgets what is no longer needed. */
  function nextLook({ users }: ReplicaState, userId: string, [time, ageSeconds]: ServiceTime): number {
    const facts = users.get(userId) ?? [];
    const { erasedUntil, isInactive, setting, roles, nextEnd, newest } = evaluate(facts, time);
    if (newest && timeOfChange(newest) + rememberedMs >= time - ageSeconds * 1000)
      return Math.min(nextEnd, time + rememberedMs);
    if (newest) users.set(userId, withoutOrder(facts));
    if (!erasedUntil && !isInactive && !setting && !roles[0]) users.delete(userId);
    return nextEnd;
  }

  function watch(userIds: Iterable<string>): void {
    const time = now();
    for (const userId of userIds) {
      const at = nextLook(knowledge.state as ReplicaState, userId, time);
      if (at < Number.POSITIVE_INFINITY) looks.set(userId, at);
      else looks.delete(userId);
    }
    let next = time[0] + maxDelayMs;
    for (const at of looks.values()) if (at < next) next = at;
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(next - time[0], minDelayMs));
    unref(timer);
  }

  /** Tells whose block, role or erasing has ended. */
  function look(): void {
    const [time] = now();
    const due = [...looks].filter(([, at]) => at <= time);
    const changed = due.filter(([userId, at]) => decide(userId, at - 1) !== decide(userId, time));
    watch(due.map(([userId]) => userId));
    tellUsers(changed);
  }

  function tellUsers(users: readonly (readonly [userId: string, unknown])[]): void {
    if (users[0]) tell({ all: false, userIds: users.map(([userId]) => userId) });
  }

  const knowledge: Knowledge = {
    state: undefined,
    change(ids, step) {
      // What has ended until now would not be told any more: the step is compared with what holds now.
      look();
      const [time] = now();
      const userIds = new Set(ids);
      const percent = knowledge.state?.rollout[0];
      const before = [...userIds].map((userId) => [userId, decide(userId, time)] as const);
      step();
      watch(userIds);
      if (percent === undefined) return;
      if (percent !== knowledge.state?.rollout[0]) tell({ all: true });
      else tellUsers(before.filter(([userId, decision]) => decision !== decide(userId, time)));
    },
    stop: () => clearTimeout(timer),
  };
  return knowledge;
}

/** Lets the process end although the timer runs. Only in Node a timer is more than a number. */
export function unref(timer: unknown): void {
  (timer as { unref?(): void } | undefined)?.unref?.();
}
