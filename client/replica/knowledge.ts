import type { Members } from '../read-answer.ts';
import type { ReplicaChange } from './access-replica.ts';
import { decideLocally, type ReplicaState, type ServiceTime } from './decide-locally.ts';
import { addFact, evaluate, type Fact, withoutOrder } from './user-facts.ts';

/** The current data of a replica; reports changed decisions. */
export interface Knowledge {
  /** Undefined before the first load. */
  state: ReplicaState | undefined;
  /** The users whose facts have the order of changes. */
  readonly ordered: ReadonlySet<string>;
  /** Runs a step that may change the decisions about these users. */
  change(userIds: Iterable<string>, step: () => void): void;
  /**
   * Drops the order of changes after a complete poll, except of the users of whom it told something: what preceded that of the
   * others has a number that the cursor has passed, so it never comes again.
   */
  settle(seen: ReadonlySet<string>): void;
  stop(): void;
}

/** The content of a page: facts about users, and rollouts with the versions of the application that set them. */
export interface Page {
  readonly facts: readonly Fact[];
  readonly rollouts: readonly ReplicaState['rollout'][];
  /** Changes that the service does not vouch for. Nothing of them is known to be true but that something may have changed. */
  readonly unsigned?: readonly Members[];
}

/** More than two clocks differ, once the service's time is estimated, and a poll takes. */
const horizonMs = 10_000;

/** Adds a page that was read and checked; cannot fail. Returns the changes that do not continue what was known. */
export function addPage(state: ReplicaState, { facts, rollouts }: Page, now = 0): Fact[] {
  for (const rollout of rollouts) if (rollout[1] >= state.rollout[1]) state.rollout = rollout;
  return facts.filter((fact) => !addFact(state.users, fact, now + horizonMs));
}

/** Above this delay, `setTimeout` fires immediately. */
const maxDelayMs = 2 ** 31 - 1;
/** Expiries within this time are reported together. */
const minDelayMs = 100;

export function createKnowledge(now: () => ServiceTime, tell: (change: ReplicaChange) => unknown): Knowledge {
  /** The users to re-evaluate, and when. */
  const checks = new Map<string, number>();
  const ordered = new Set<string>();
  let timer: ReturnType<typeof setTimeout>;

  function decide(userId: string, time: number): string | undefined {
    return knowledge.state && JSON.stringify(decideLocally(knowledge.state, userId, [time, 0]));
  }

  /** When to re-evaluate a user; drops data that is no longer needed. */
  function nextCheck({ users }: ReplicaState, userId: string, [time]: ServiceTime): number {
    const { erasedUntil, isInactive, setting, roles, nextEnd, newest } = evaluate(users.get(userId) ?? [], time);
    if (newest) ordered.add(userId);
    else if (!erasedUntil && !isInactive && !setting && !roles[0]) users.delete(userId);
    return nextEnd;
  }

  function watch(userIds: Iterable<string>): void {
    const time = now();
    for (const userId of userIds) {
      const at = nextCheck(knowledge.state as ReplicaState, userId, time);
      if (at < Number.POSITIVE_INFINITY) checks.set(userId, at);
      else checks.delete(userId);
    }
    let next = time[0] + maxDelayMs;
    for (const at of checks.values()) if (at < next) next = at;
    clearTimeout(timer);
    timer = setTimeout(reportExpired, Math.max(next - time[0], minDelayMs));
    unref(timer);
  }

  /** Reports the users whose block, role or erasure has expired. */
  function reportExpired(): void {
    const [time] = now();
    const due = [...checks].filter(([, at]) => at <= time);
    const changed = due.filter(([userId, at]) => decide(userId, at - 1) !== decide(userId, time));
    watch(due.map(([userId]) => userId));
    tellUsers(changed);
  }

  function tellUsers(users: readonly (readonly [userId: string, unknown])[]): void {
    if (users[0]) tell({ all: false, userIds: users.map(([userId]) => userId) });
  }

  const knowledge: Knowledge = {
    state: undefined,
    ordered,
    change(ids, step) {
      // Reports expiries up to now first, because the step is compared with the current decisions.
      reportExpired();
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
    settle(seen) {
      const { users } = knowledge.state as ReplicaState;
      const settled = [...ordered].filter((userId) => !seen.has(userId));
      for (const userId of settled) {
        ordered.delete(userId);
        users.set(userId, withoutOrder(users.get(userId) ?? []));
      }
      if (settled[0]) watch(settled);
    },
    stop: () => clearTimeout(timer),
  };
  return knowledge;
}

/** Lets the process exit while the timer is pending. Only in Node is a timer more than a number. */
export function unref(timer: unknown): void {
  (timer as { unref?(): void } | undefined)?.unref?.();
}
