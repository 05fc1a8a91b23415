import { digestOf, erasedUntil } from '#shared/contract/entry-digest.ts';
import type { AuthServiceClient } from '../client-interface.ts';
import type { Members } from '../read-answer.ts';
import { differentUsers, type EntryKind, textsOf, type UserRange } from './compare-range.ts';
import { isUserId, type ReplicaState } from './decide-locally.ts';
import { addPage, type Knowledge } from './knowledge.ts';
import { backOff, jitter } from './polling.ts';
import { type ReadService, requireComplete, snapshotPageSize } from './read-service.ts';
import { type Fact, factsOf, timeOfChange } from './user-facts.ts';

/** Finds what differs from the service, and reads it again. */
export interface Repair {
  /** Whether users or pages are left to read, so that the next poll should begin soon. */
  readonly isBusy: boolean;
  /** Doubts a user, who counts as erased until a time if the service does not know the user. */
  doubt(userId: string, until?: number): void;
  /** Doubts the users of changes that do not continue what was known. */
  doubtAll(changes: readonly Fact[]): void;
  /** Doubts the users of changes that the service does not vouch for, once for each change. */
  refuse(changes: readonly Members[]): void;
  /** Begins a comparison with the next poll. */
  compareNow(): void;
  /** Forgets all doubts, because everything has been read again. */
  reset(): void;
  /**
   * Reads something to compare or replace, if it is time. Call the result after the next complete poll, with the users in that
   * poll: for all others, what was read is also the state after it.
   */
  read(): Promise<((seen: ReadonlySet<string>) => void) | undefined>;
}

export interface RepairOptions {
  readonly client: AuthServiceClient;
  readonly read: ReadService;
  readonly signal: AbortSignal;
  readonly knowledge: Knowledge;
  /** How often everything is compared; 0 is never. */
  readonly verifySeconds: number;
  /** Called with a failure, or with the users whose data was replaced. */
  readonly report: (error: unknown, userIds?: readonly string[]) => unknown;
  /** Reads the snapshot again, because too many users differ. */
  readonly reload: () => void;
}

const maxUsersPerCheck = 100;
const maxDoubts = 1000;
/** Whatever hid one change may have hidden others: the next comparison is at most this long after the previous one. */
const soonMs = 600_000;
const never = Number.POSITIVE_INFINITY;

/** A comparison under way: its next page, and the user ids through which each kind has been compared. */
interface Comparison {
  readonly after: string | null;
  readonly reached: Readonly<Record<EntryKind, string>>;
  /** Whether a digest of the page differed, so that its entries are read. */
  readonly differs?: boolean;
}

/** A range of a page, which follows the previous one of its kind. */
type ReadRange = Omit<UserRange, 'after'> & { readonly digest: string };

export function createRepair({ client, read, signal, knowledge, ...options }: RepairOptions): Repair {
  const everyMs = options.verifySeconds * 1000 || never;
  const doubts = new Map<string, number>();
  /** The ids of changes without a signature: those that were refused, and those of the current poll. */
  let [refused, met] = [new Set<string>(), new Set<string>()];
  /** The users of those that came first with the current poll: an answer about them may be older. */
  const fresh = new Set<string>();
  let comparison: Comparison | undefined;
  let nextAt = performance.now() + jitter(everyMs);
  let [failures, pausedUntil] = [0, 0];

  function doubt(userId: string, until = 0): void {
    if (doubts.size === maxDoubts) options.reload();
    doubts.set(userId, until);
  }

  async function readDoubts() {
    const asked = [...doubts].slice(0, maxUsersPerCheck);
    const answers = await client.checkAccess(
      asked.map(([userId]) => userId),
      { signal },
    );
    return (seen: ReadonlySet<string>) => {
      const settled = answers.filter(({ userId }) => !seen.has(userId));
      const userIds = settled.map(({ userId }) => userId);
      const { users } = knowledge.state as ReplicaState;
      knowledge.change(userIds, () => {
        for (const access of settled) users.set(access.userId, factsOf(access, doubts.get(access.userId) ?? 0));
      });
      for (const userId of userIds) doubts.delete(userId);
      if (userIds[0]) options.report(new Error(`Read the data about ${userIds.length} users again`), userIds);
    };
  }

  async function readPage({ after, reached, differs }: Comparison) {
    const [page] = await read('access', snapshotPageSize, after, !differs && 'digest=true');
    requireComplete(Array.isArray(page.ranges) && Date.parse(page.liveAt) && (page.cursor ?? '') !== after);
    return (seen: ReadonlySet<string>) => compare(page, { after, reached, differs: !!differs }, seen);
  }

  function compare(page: Members, { after, reached, differs }: Comparison, seen: ReadonlySet<string>): void {
    const { items, cursor, rolloutPercent, applicationVersion } = page;
    const state = knowledge.state as ReplicaState;
    knowledge.change([], () => {
      addPage(state, { facts: [], rollouts: [[rolloutPercent, applicationVersion]] });
    });
    const time = Date.parse(page.liveAt);
    const next = { ...reached };
    const ranges = (page.ranges as ReadRange[]).map(({ kind, through, digest }) => {
      const range = { kind, through, digest, after: next[kind] };
      next[kind] = through ?? '\uffff';
      return range;
    });
    if (differs) {
      const users = ranges.flatMap((range) => differentUsers(state.users, items, range, time));
      for (const [userId, until] of users) if (!seen.has(userId)) doubt(userId, until);
    } else if (ranges.some((range) => digestOf(textsOf(state.users, range, time).values()) !== range.digest)) {
      comparison = { after, reached, differs: true };
      return;
    }
    comparison = cursor === null ? undefined : { after: cursor, reached: next };
    if (!comparison) nextAt = performance.now() + jitter(everyMs);
  }

  return {
    get isBusy() {
      return performance.now() >= pausedUntil && (doubts.size > 0 || !!comparison);
    },
    doubt,
    doubtAll(changes) {
      for (const [userId, , id] of changes) doubt(userId, erasedUntil(timeOfChange(id)));
      if (changes[0] && everyMs < never) nextAt = Math.min(nextAt, nextAt - everyMs + soonMs);
    },
    refuse(changes) {
      for (const { id, userId, action } of changes) {
        met.add(id);
        if (refused.has(id)) continue;
        refused.add(id);
        // An unknown id may be that of an erased user.
        if (isUserId(userId)) {
          doubt(userId, erasedUntil(Date.now()));
          fresh.add(userId);
        } else if (action === 'application.updated') options.reload();
      }
    },
    compareNow() {
      if (everyMs < never) nextAt = 0;
    },
    reset() {
      doubts.clear();
      comparison = undefined;
      nextAt = performance.now() + jitter(everyMs);
    },
    async read() {
      // What is pending comes again with each poll.
      [refused, met] = [met, new Set()];
      fresh.clear();
      const now = performance.now();
      if (now < pausedUntil) return undefined;
      if (now >= nextAt) {
        nextAt = never;
        comparison = { after: null, reached: { erased: '', inactive: '', access: '' } };
      }
      try {
        const found = doubts.size > 0 ? await readDoubts() : comparison && (await readPage(comparison));
        failures = 0;
        return found && ((seen) => found(new Set([...seen, ...fresh])));
      } catch (error) {
        if (!signal.aborted) options.report(error);
        pausedUntil =
          now + backOff(1000, failures++, (error as { readonly retryAfterSeconds?: number }).retryAfterSeconds);
        return undefined;
      }
    },
  };
}
