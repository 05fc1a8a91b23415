import {
  type ApplicationChangePage,
  type Change,
  type ChangeAction,
  userActionsForAll,
} from '#shared/contract/change.ts';
import { type AppId, maxPageSize } from '#shared/contract/fields.ts';
import { changeSettlingSeconds, clockSkewSeconds } from '#shared/contract/time-bounds.ts';
import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { type Range, ranges } from '#shared/table/keys.ts';
import {
  changeIdBefore,
  decodeFeedCursor,
  encodeFeedCursor,
  type FeedPosition,
  settledChangeId,
} from '#shared/table/queries/feed-cursor.ts';
import { readMerged } from '#shared/table/queries/read-merged.ts';
import { authorize } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';
import { changeForApplication } from './change-for-application.ts';

export interface ChangesRequest {
  readonly appId: AppId;
  readonly limit: number;
  /** The cursor of the previous response; undefined begins with the oldest change that is kept. */
  readonly after?: string | undefined;
  /** Only these actions. Default: all. */
  readonly actions?: readonly ChangeAction[] | undefined;
}

/**
 * The changes for an application, ordered by id: its own, and the changes of users that concern every
 * application. Visible changes are returned immediately, but a change may become visible after a later one, so changes
 * younger than 15 seconds are repeated.
 */
export async function listChanges(
  { appId, limit, after, actions }: ChangesRequest,
  context: RequestContext,
): Promise<ApplicationChangePage> {
  const sealed = await readApplication(appId);
  const at = now();
  await authorize(context, sealed, at);
  const pass = startPass(after === undefined ? undefined : readPosition(appId, after, at), at);
  const { found, reached, ended } = await readFeed(pass.from, { appId, limit, actions });
  return {
    items: found.map((change) => changeForApplication(change, appId)),
    cursor: encodeFeedCursor(appId, nextPosition(pass, reached, ended)),
  };
}

const passMilliseconds = 1000;

interface Pass extends FeedPosition {
  readonly from: string;
}

function startPass(position: FeedPosition | undefined, at: Date): Pass {
  if (position !== undefined && isUnderWay(position, at)) return { ...position, from: position.seen };
  const beginning = position?.settled ?? changeIdBefore(at, retentionSeconds() - expiryMarginSeconds);
  // A cursor from the Management API's history may point to a younger change.
  const settled = earliest(beginning, settledChangeId(at));
  return { settled, seen: settled, startedAt: at.getTime(), ended: false, from: settled };
}

/** A pass that has not reached its end may continue for longer, so that it can reach it. */
function isUnderWay({ startedAt, ended }: FeedPosition, at: Date): boolean {
  const age = at.getTime() - startedAt;
  return age > -clockSkewSeconds * 1000 && age < (ended ? passMilliseconds : changeSettlingSeconds * 1000);
}

function nextPosition({ settled: before, startedAt }: Pass, reached: string, ended: boolean): FeedPosition {
  const horizon = settledChangeId(new Date(startedAt));
  const settled = latest(before, ended ? horizon : earliest(horizon, reached));
  return { settled, seen: latest(settled, reached), startedAt, ended };
}

function earliest(one: string, other: string): string {
  return one < other ? one : other;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}

function readPosition(appId: AppId, cursor: string, at: Date): FeedPosition {
  const position = decodeFeedCursor(appId, cursor);
  if (position.settled >= changeIdBefore(at, retentionSeconds())) return position;
  throw new ServiceError('cursor_expired', {
    detail: `Changes are kept for ${config().changeRetentionDays} days. Read the snapshot, then continue with its changesCursor.`,
  });
}

/** Skips changes that would expire while the first pages are read. */
const expiryMarginSeconds = 3600;

function retentionSeconds(): number {
  return config().changeRetentionDays * 86_400;
}

/** The most queries for one page, when a filter matches few changes. */
const maxRounds = 10;

interface FeedPage {
  readonly found: readonly Change[];
  /** The id of the last change examined. */
  readonly reached: string;
  /** Whether it was the last one. */
  readonly ended: boolean;
}

async function readFeed(from: string, { appId, limit, actions }: ChangesRequest): Promise<FeedPage> {
  const found: Change[] = [];
  // With a filter, few changes may match.
  const perQuery = actions === undefined ? limit : maxPageSize;
  let reached = from;
  for (let round = 1; round <= maxRounds; round++) {
    const { items, next } = await readMerged(feedRanges(appId, reached, actions), perQuery);
    for (const change of items.map(changeOf)) {
      reached = change.id;
      if (actions === undefined || actions.includes(change.action)) found.push(change);
      if (found.length === limit) return { found, reached, ended: false };
    }
    if (next === undefined) return { found, reached, ended: true };
    reached = next;
  }
  return { found, reached, ended: false };
}

function feedRanges(appId: AppId, from: string, actions: ChangesRequest['actions']): Range[] {
  const span = { descending: false, above: from };
  const own = ranges.applicationChanges(appId, span);
  const concernsUsers = actions === undefined || userActionsForAll.some((action) => actions.includes(action));
  return concernsUsers ? [own, ranges.userChangesForAll(span)] : [own];
}
