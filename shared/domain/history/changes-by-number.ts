import type { ApplicationChangePage, ChangeAction } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { publishMetrics } from '#shared/core/telemetry.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import type { FeedChange } from '#shared/table/items/feed-item.ts';
import { pendingPlace, usersOfPlace } from '#shared/table/keys/feed-item-keys.ts';
import { decodeFeedCursor, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
import { authorize, hasScope } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';
import {
  changesOf,
  type FoundChange,
  type Positions,
  positionAfter,
  type ReadFeed,
  readFeedChanges,
  readFeeds,
} from './read-feed.ts';
import { signForApplication } from './sign-for-application.ts';

export interface ChangesRequest {
  readonly appId: AppId;
  readonly limit: number;
  /** The cursor of the previous response; undefined begins with the oldest change that is kept. */
  readonly after?: string | undefined;
  /** Only these actions. Default: all. */
  readonly actions?: readonly ChangeAction[] | undefined;
}

/**
 * Reads by number, for followers who may see a change again. The changes for an application are its own, and the changes of users
 * that concern every application. First those that have a number, in that order, then the pending ones, which are returned again
 * until they have one: the cursor passes only numbers, and whatever is committed later gets a higher one.
 */
export async function listChanges(request: ChangesRequest, context: RequestContext): Promise<ApplicationChangePage> {
  const { appId, after } = request;
  const guarded = await readApplication(appId);
  const application = await authorize(context, guarded, now());
  const reader = { appId, readsWebhookUrls: hasScope(application, context, 'webhooks:write') };
  const position = after === undefined ? undefined : decodeFeedCursor(appId, after);
  const page = await readPage(request, position?.feeds ?? [undefined, undefined], position?.pendingAfter);
  const { numbered, shown, place, items, repeated } = page;
  countOld(shown);
  return {
    items: await signForApplication([...items, ...repeated], reader),
    pending: repeated.length,
    more: page.more,
    cursor: encodeFeedCursor(appId, { feeds: numbered.positions, pendingAfter: place }),
  };
}

/**
 * Reads the feeds, then the changes in them. A change that is missing is that of a user who is being erased: if the erasure began
 * only after the feeds were read, they do not have it, and without both, the last page would show a state that the user never
 * had. So the feeds are read again, unless later pages follow.
 */
async function readPage(request: ChangesRequest, positions: Positions, after: string | undefined) {
  const known = new Set<string>();
  for (;;) {
    const page = await readPageOnce(request, positions, after);
    const unexplained = page.more
      ? []
      : page.missing.filter((change) => !known.has(change.id) && !isErased(change, page.feeds));
    if (unexplained.length === 0) return page;
    for (const { id } of unexplained) known.add(id);
  }
}

async function readPageOnce(
  { appId, limit, actions }: ChangesRequest,
  positions: Positions,
  after: string | undefined,
) {
  const feeds = await readFeeds(appId, positions, { count: limit, pendingAfter: after });
  const isWanted = ({ action }: FeedChange) => actions === undefined || actions.includes(action);
  const numbered = takeNumbered(feeds, limit, isWanted);
  const room = limit - numbered.taken.length;
  const { shown, hasRest, place } = numbered.ended ? takePending(feeds, { after, room, isWanted }) : nothingPending;
  const [items, repeated] = await Promise.all([readFeedChanges(numbered.taken), readFeedChanges(shown)]);
  const found = new Set([...items, ...repeated].map(({ id }) => id));
  const missing = [...numbered.taken, ...shown].filter(({ id }) => !found.has(id));
  return { feeds, numbered, shown, place, more: !numbered.ended || hasRest, items, repeated, missing };
}

/** Whether the feeds have a later erasure of the user of a change. */
function isErased({ id, userId }: FoundChange, feeds: readonly ReadFeed[]): boolean {
  return feeds
    .flatMap(changesOf)
    .some((change) => change.action === 'user.deleted' && change.userId === userId && change.id > id);
}

const oldMilliseconds = 60_000;

/** Numbers that are late have no effect but repetitions, so nobody else would notice. */
function countOld(pending: readonly FeedChange[]): void {
  const youngest = now().getTime() - oldMilliseconds;
  const count = pending.filter(({ id }) => timeOfUlid(id) < youngest).length;
  if (count > 0) publishMetrics({ OldPendingChanges: count });
}

/**
 * The feed whose next change has the smaller id; undefined at the end of both, or of one that was not read to its end: what
 * follows there may come before what the other one has.
 */
function nextFeed(feeds: readonly [ReadFeed, ReadFeed], next: readonly [number, number]): 0 | 1 | undefined {
  const [own, users] = [feeds[0].numbered[next[0]], feeds[1].numbered[next[1]]];
  if (own !== undefined && users !== undefined) return own.change.id < users.change.id ? 0 : 1;
  if (own !== undefined) return feeds[1].complete ? 0 : undefined;
  return users !== undefined && feeds[0].complete ? 1 : undefined;
}

/** The next changes of both feeds, by id where the order of each allows, and the positions after them. */
function takeNumbered(feeds: readonly [ReadFeed, ReadFeed], limit: number, isWanted: (change: FeedChange) => boolean) {
  const taken: FoundChange[] = [];
  const next: [number, number] = [0, 0];
  for (;;) {
    const at = nextFeed(feeds, next);
    const found = at === undefined ? undefined : feeds[at].numbered[next[at]];
    if (at === undefined || found === undefined || taken.length === limit) break;
    next[at] += 1;
    if (isWanted(found.change)) taken.push(found.change);
  }
  const isEnded = ({ numbered, complete }: ReadFeed, at: 0 | 1) => complete && next[at] === numbered.length;
  return {
    taken,
    positions: [positionAfter(feeds[0], next[0]), positionAfter(feeds[1], next[1])] as const,
    ended: isEnded(feeds[0], 0) && isEnded(feeds[1], 1),
  };
}

interface PendingToTake {
  /** Only what has a place after this one. */
  readonly after: string | undefined;
  readonly room: number;
  readonly isWanted: (change: FeedChange) => boolean;
}

interface TakenPending {
  readonly shown: readonly FoundChange[];
  readonly hasRest: boolean;
  /** The place after which the next page continues; undefined if it begins with the first. */
  readonly place: string | undefined;
}

const nothingPending: TakenPending = { shown: [], hasRest: false, place: undefined };

/**
 * The next pending changes of both feeds. Pages go by place, where those of one user are next to each other, and within a page by id.
 * A page ends with all changes of a user, if it has room for more than one user: of what is committed between two pages, none comes
 * without what came before.
 */
function takePending(feeds: readonly ReadFeed[], { after = '', room, isWanted }: PendingToTake): TakenPending {
  const [to] = feeds.flatMap(({ pendingTo }) => pendingTo ?? []).sort();
  const found = feeds
    .flatMap(({ pending }) => pending)
    .map((change) => ({ change, place: pendingPlace(change) }))
    .filter(({ place }) => place > after && (to === undefined || place <= to))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const wanted = found.filter(({ change }) => isWanted(change));
  const fits = wanted.slice(0, room);
  const isCut = fits.length < wanted.length;
  const last = isCut ? (fits.at(-1)?.place ?? after) : to;
  if (last === undefined) return { shown: byId(fits), hasRest: false, place: undefined };
  const whole = fits.filter(({ place }) => usersOfPlace(place) !== usersOfPlace(last));
  const shown = whole.length === 0 ? fits : whole;
  const place = whole.at(-1)?.place ?? (last === '' ? undefined : last);
  return { shown: byId(shown), hasRest: true, place };
}

function byId(found: readonly { readonly change: FoundChange }[]): FoundChange[] {
  return found.map(({ change }) => change).sort((one, other) => (one.id < other.id ? -1 : 1));
}
