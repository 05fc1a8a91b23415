import type { Page } from '#shared/contract/answers.ts';
import { bulkClockSeconds } from '#shared/contract/bulk.ts';
import type { Change, ChangeAction } from '#shared/contract/change.ts';
import { userActionsForAll } from '#shared/contract/change-actions.ts';
import type { AppId, BulkId, ConnectionId, UserId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { invalidField } from '#shared/core/errors.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import type { Item } from '#shared/table/client.ts';
import { digestOfName, isCalledBy } from '#shared/table/items/caller-names.ts';
import { readableChangeOf } from '#shared/table/items/change-item.ts';
import type { ChangeSpan, Range } from '#shared/table/key.ts';
import {
  applicationChangesRange,
  connectionChangesRange,
  historyRanges,
  userChangesForAllRange,
  userHistoryRanges,
} from '#shared/table/keys/change-item-keys.ts';
import { type MergedPageRequest, readMergedPage } from '#shared/table/queries/read-merged.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';

/** A filter of the global history; by default all changes. */
export interface ChangeFilter {
  /** The start (inclusive) and the end (exclusive) of the time range; RFC 3339. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly actions?: readonly ChangeAction[] | undefined;
  /** The caller, by one of its `callerNames`. */
  readonly actor?: string | undefined;
  /** Includes changes of users that concern every application. */
  readonly appId?: AppId | undefined;
  readonly userId?: UserId | undefined;
  readonly connectionId?: ConnectionId | undefined;
  /** The changes of a bulk, and those that undid them. */
  readonly bulkId?: BulkId | undefined;
  /** Only changes in these applications, and changes of users themselves. */
  readonly limitedTo?: readonly AppId[] | undefined;
}

/**
 * All changes, newest first, including those of erased users. A page examines a bounded
 * number of changes, so with a filter it may be short or empty, with more to follow.
 */
export async function listAllChanges(request: ChangeFilter & PageRequest): Promise<Page<Change>> {
  const { limit, cursor, ...filter } = request;
  const { since, until, appId, bulkId, limitedTo } = filter;
  if (since !== undefined && until !== undefined && until <= since) throw invalidField('until', 'must be after since');
  if (filter.connectionId !== undefined && (appId !== undefined || filter.userId !== undefined)) {
    throw invalidField('connectionId', 'cannot be combined with appId or userId');
  }
  if (appId !== undefined && limitedTo?.includes(appId) === false) return { items: [], cursor: null };
  // A cursor is a position in time, so it stays valid when "the last seven days" has moved on.
  const list = JSON.stringify([
    filter.actions,
    filter.actor,
    appId,
    filter.userId,
    bulkId,
    limitedTo,
    filter.connectionId,
  ]);
  const page = await readMergedPage({
    limit,
    cursor,
    bound: ['changes', list],
    ...sourceOf(filter),
    span: {
      descending: true,
      above: laterOf(since && lowestUlid(new Date(since)), bulkId && beginningOf(bulkId)),
      below: until && lowestUlid(new Date(until)),
    },
    isFiltered: [filter.actions, filter.actor, bulkId, limitedTo, appId && filter.userId].some(
      (each) => each !== undefined,
    ),
  });
  return { items: page.items, cursor: page.more ? (page.cursor ?? null) : null };
}

/** Both are ids; undefined is before all. */
function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

/** The id before all changes of the bulk; allows for a client clock that was ahead. */
function beginningOf(bulkId: BulkId): string {
  return lowestUlid(new Date(timeOfUlid(bulkId) - bulkClockSeconds * 1000));
}

type Source = Pick<MergedPageRequest<Change>, 'rangesIn' | 'viewsOf'>;

/** For a user, an application or a connection, their own history. */
function sourceOf(filter: ChangeFilter): Source {
  const { userId, appId, connectionId, actions, bulkId } = filter;
  const among = actions && { attribute: 'action', values: actions };
  const where = bulkId && { attribute: 'bulkId', value: bulkId };
  const filtered = (found: readonly Range[]) =>
    found.map((range) => ({ ...range, ...(among && { among }), ...(where && { where }) }));
  const wanted = (change: Change) => (isWanted(change, filter) ? change : undefined);
  const ofItems = async (items: readonly Item[]) =>
    items.map((item) => {
      const change = readableChangeOf(item);
      return change && wanted(change);
    });
  if (userId !== undefined) {
    return { rangesIn: (span) => filtered(userHistoryRanges(userId, span)), viewsOf: ofItems };
  }
  if (connectionId !== undefined) {
    return { rangesIn: (span) => filtered([connectionChangesRange(connectionId, span)]), viewsOf: ofItems };
  }
  if (appId !== undefined) {
    const lists = (span: ChangeSpan) => [applicationChangesRange(appId, span), userChangesForAllRange(span)];
    return { rangesIn: (span) => filtered(lists(span)), viewsOf: ofItems };
  }
  const containing = filter.actor && { attribute: 'by', texts: [digestOfName(filter.actor)] };
  const found = (span: ChangeSpan) =>
    filtered(historyRanges(span)).map((range) => ({ ...range, ...(containing && { containing }) }));
  return { rangesIn: found, viewsOf: ofItems };
}

function isWanted(change: Change, filter: ChangeFilter): boolean {
  const { actions, actor, appId } = filter;
  return (
    isShown(change, filter) &&
    (appId === undefined || change.appId === appId || concernsAll(change)) &&
    (actions === undefined || actions.includes(change.action)) &&
    (actor === undefined || isCalledBy(change.caller, actor))
  );
}

/** Operators who are limited to applications see no connections, which concern several. */
function isShown({ appId, connectionId }: Change, { limitedTo }: ChangeFilter): boolean {
  if (limitedTo === undefined) return true;
  return connectionId === undefined && (appId === undefined || limitedTo.some((one) => one === appId));
}

function concernsAll({ appId, action }: Change): boolean {
  return appId === undefined && (userActionsForAll as readonly ChangeAction[]).includes(action);
}
