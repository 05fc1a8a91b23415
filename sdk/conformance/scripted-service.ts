import { digestOf } from '#shared/contract/entry-digest.ts';
import { textsOf } from '../../client/replica/compare-range.ts';
import { addFact, readEntry, type UserFacts } from '../../client/replica/user-facts.ts';
import type { RecordedAnswer } from './replica-history.ts';

export type Entry = Readonly<Record<string, unknown>> & { readonly kind: string; readonly userId: string };
export type Change = Readonly<Record<string, unknown>> & { readonly id: string; readonly userId?: string };

/** A request of a replica: its path below `/api/service/`, and its query. */
export interface ReplicaRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: { readonly userIds?: readonly string[] };
}

const kinds = ['erased', 'inactive', 'access'] as const;
const pageOfChanges = 100;
/** As in the service: expiries this soon are not part of a digest. */
const liveAheadMs = 600_000;

/** A service that answers a replica as a history scripts it. */
export class ScriptedService {
  /** The entries of the snapshot, in its order. */
  entries: Entry[] = [];
  /** How many entries a page of the snapshot has. */
  pageSize = 2500;
  /** The changes with a number, in its order. */
  feed: Change[] = [];
  /** The changes without a number yet; each poll gets them again. */
  pending: Change[] = [];
  /** How many changes without a number it leaves out, because an earlier poll had them. */
  omitted = 0;
  rollout: readonly [percent: number, version: number] = [100, 1];
  /** What `GET …/users/{userId}/access` answers, by user; other users do not exist. */
  users = new Map<string, object>();
  /** How far its clock is ahead of the client's, in seconds. */
  aheadSeconds = 0;
  /** Fails or changes the answer to a request; undefined for the usual one. */
  interfere: (request: ReplicaRequest) => RecordedAnswer | undefined = () => undefined;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  answer(request: ReplicaRequest): RecordedAnswer {
    return { date: this.#date(), ...(this.interfere(request) ?? this.#usual(request)) };
  }

  #date(): string {
    return new Date(this.#now() + this.aheadSeconds * 1000).toUTCString();
  }

  #usual({ path, query, body }: ReplicaRequest): RecordedAnswer {
    if (path === 'access') return { body: this.#snapshotPage(Number(query.get('after') ?? 0)) };
    if (path === 'changes') return { body: this.#feedPage(Number((query.get('after') ?? '').slice(1))) };
    if (path === 'access/check') return { body: { items: (body.userIds ?? []).map((userId) => this.#about(userId)) } };
    const answer = this.#about(decodeURIComponent(path.split('/')[1] ?? ''));
    return 'code' in answer
      ? { status: 404, body: { title: 'T', status: 404, detail: 'D', ...answer } }
      : { body: answer };
  }

  #about(userId: string): object {
    return this.users.get(userId) ?? { userId, code: 'user_not_found' };
  }

  #snapshotPage(from: number) {
    const items = this.entries.slice(from, from + this.pageSize);
    const to = from + items.length;
    const isLast = to >= this.entries.length;
    const [rolloutPercent, applicationVersion] = this.rollout;
    const liveAt = this.#now() + this.aheadSeconds * 1000 + liveAheadMs;
    return {
      items,
      ranges: this.#ranges(items, isLast, liveAt),
      liveAt: new Date(liveAt).toISOString(),
      cursor: isLast ? null : `${to}`,
      total: isLast ? to : null,
      changesCursor: `c${this.feed.length}`,
      rolloutPercent,
      applicationVersion,
    };
  }

  /** The digests of a page; each kind ends with its last entry on the page, or with the snapshot. */
  #ranges(items: readonly Entry[], isLast: boolean, liveAt: number) {
    const users = new Map<string, UserFacts>();
    for (const entry of items) for (const fact of readEntry(entry)) addFact(users, fact);
    return kinds.flatMap((kind) => {
      const last = items.findLast((entry) => entry.kind === kind);
      if (!isLast && last === undefined) return [];
      const through = isLast ? null : (last?.userId ?? null);
      return [{ kind, through, digest: digestOf(textsOf(users, { kind, after: '', through: null }, liveAt).values()) }];
    });
  }

  #feedPage(from: number) {
    const numbered = this.feed.slice(from, from + pageOfChanges);
    const to = from + numbered.length;
    const more = to < this.feed.length;
    const items = [...numbered, ...(more ? [] : this.pending)].map((change) => ({ signature: 'e30..AA', ...change }));
    const omitted = !more && this.omitted > 0 ? { omitted: this.omitted } : {};
    return { items, pending: more ? 0 : this.pending.length, ...omitted, more, cursor: `c${to}` };
  }
}
