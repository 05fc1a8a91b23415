import type { ClientInternals } from '../create-send.ts';
import type { Members } from '../read-answer.ts';
import { maxSkew } from '../server-clock.ts';
import { maxPageSize } from '../service-contract.ts';
import type { ReplicaState } from './decide-locally.ts';
import { addPage, type Page } from './knowledge.ts';
import { type Fact, readChange, readEntry } from './user-facts.ts';

/** Sends one signed request without retries; returns the body and the date of the response, 0 if it has none. */
export type ReadService = (
  path: string,
  limit: number,
  after?: string | null,
  option?: string | false,
) => Promise<readonly [body: Members, date: number]>;

/** Reads through a client with its key, until the signal aborts. */
export function createReader({ send, now }: ClientInternals, signal: AbortSignal): ReadService {
  return async (path, limit, after, option) => {
    let date = 0;
    const askedAt = now();
    const body = await send({
      method: 'GET',
      path,
      target: `${path}?limit=${limit}${after ? `&after=${encodeURIComponent(after)}` : ''}${option ? `&${option}` : ''}`,
      maxAttempts: 1,
      signal,
      isExpected: ({ items }, _, headers) => {
        const text = headers.get('date');
        // Browsers expose it only if the service allows that.
        if (text !== null) date = Date.parse(text);
        return Array.isArray(items) && (text === null || isPlausible(date, askedAt, now()));
      },
    });
    return [body, date];
  };
}

/**
 * A read is signed within five minutes of this machine's time, and the service accepts it within five minutes of its own. So
 * the clocks cannot differ by more; a date has whole seconds.
 */
function isPlausible(date: number, askedAt: number, now: number): boolean {
  return date > askedAt - 2 * maxSkew - 1000 && date <= now + 2 * maxSkew;
}

/** The most entries of a page. */
export const snapshotPageSize = 2500;

/** A partially read snapshot; after a failure, reading continues with the same page. */
export interface Snapshot {
  readonly state: ReplicaState;
  entries: number;
  /** The changes after it that the service does not vouch for. */
  readonly unsigned: Members[];
  /** The position of the next page: undefined before the first, `null` after the last. */
  after: string | null | undefined;
  /** Whether a poll has begun to read the changes after it. */
  isFollowed?: true;
}

export function beginSnapshot(appId: string): Snapshot {
  return {
    state: { appId, users: new Map(), rollout: [100, -1], cursor: '' },
    entries: 0,
    unsigned: [],
    after: undefined,
  };
}

/** Reads the rest of a snapshot. Throws unless its last page and the number of its entries prove that it is complete. */
export async function loadSnapshot(read: ReadService, snapshot: Snapshot): Promise<ReplicaState> {
  const { state } = snapshot;
  while (snapshot.after !== null) {
    const [{ items, cursor, changesCursor, total, rolloutPercent, applicationVersion }] = await read(
      'access',
      snapshotPageSize,
      snapshot.after,
    );
    const page = {
      facts: checked(items.flatMap(readEntry)),
      rollouts: [[rolloutPercent, applicationVersion] as const],
    };
    state.cursor ||= changesCursor;
    snapshot.entries += items.length;
    requireComplete(
      changesCursor &&
        changesCursor === state.cursor &&
        rolloutPercent >= 0 &&
        (cursor === null ? total === snapshot.entries : cursor && cursor !== snapshot.after),
    );
    addPage(state, page);
    snapshot.after = cursor;
  }
  return state;
}

/** What a poll has found. */
export interface Poll {
  /** Whether it has read everything; otherwise it has given up. */
  readonly isComplete: boolean;
  /** The date of its last response. */
  readonly date: number;
  /** The users of changes that the service vouches for. */
  readonly seen: ReadonlySet<string>;
  /** Whether there may be changes without a number that only a poll before had: they come once more with their numbers. */
  readonly omits: boolean;
}

/**
 * Reads the changes after the state's cursor until there are no more. Each page is read and checked as a whole, then applied
 * together with the cursor. At the end, everything committed before the last request has been applied. Gives up after
 * `mostPages`, unless what follows has no number yet: it would follow a snapshot just the same.
 */
export async function followChanges(
  read: ReadService,
  state: ReplicaState,
  apply: (page: Page) => void,
  mostPages = Number.POSITIVE_INFINITY,
): Promise<Poll> {
  const seen = new Set<string>();
  let omits = false;
  for (let pages = 1; ; pages++) {
    const [{ items, more, cursor, pending, omitted }, date] = await read(
      'changes',
      maxPageSize,
      state.cursor,
      'pending=new',
    );
    requireComplete(cursor && (more === false || (more && cursor !== state.cursor)));
    const signed = items.filter(isSigned);
    const rollouts = signed.flatMap(({ action, after }: Members) =>
      action === 'application.updated' && after.rolloutPercent >= 0 ? [[after.rolloutPercent, after.version]] : [],
    );
    // The order of numbers is that of commits, and of one user's changes that of their ids; pending ones are in any order.
    const facts: Fact[] = signed
      .flatMap(readChange)
      .sort(([, , one]: Fact, [, , other]: Fact) => (one < other ? -1 : 1));
    apply({ facts: checked(facts), rollouts, unsigned: items.filter((item: Members) => !isSigned(item)) });
    for (const { userId } of signed) seen.add(userId);
    state.cursor = cursor;
    omits ||= omitted > 0;
    if (!more || (pages >= mostPages && !pending && !omitted)) return { isComplete: !more, date, seen, omits };
  }
}

/**
 * Whether the service vouches for a change: it signs those whose MAC is valid when it hands them out. What somebody wrote to its
 * table has no signature (JWS with detached content, RFC 7515 appendix F).
 */
function isSigned({ signature }: Members): boolean {
  return /^[\w-]+\.\.[\w-]+$/.test(signature);
}

function checked(facts: readonly Fact[]): readonly Fact[] {
  for (const fact of facts) requireComplete(fact.slice(0, 4).every((member) => member !== undefined));
  return facts;
}

/** Rejects a page as a whole if it cannot be parsed or is inconsistent. */
export function requireComplete(isComplete: unknown): void {
  if (!isComplete) throw new TypeError('A response of the service is incomplete');
}
