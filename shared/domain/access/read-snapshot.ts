import type { SnapshotEntry, SnapshotPage } from '#shared/contract/access-snapshot.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { accessFields, pickFields } from '#shared/contract/resource-fields.ts';
import { now } from '#shared/core/clock.ts';
import { type Item, queryItems } from '#shared/table/client.ts';
import { accessOf, isDefaultAccess, liveGrants } from '#shared/table/items/access-item.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import { inactiveMarkOf } from '#shared/table/items/inactive-mark-item.ts';
import { erasedUserOf } from '#shared/table/items/user-item.ts';
import { type Range, ranges } from '#shared/table/keys.ts';
import { feedCursorAt, settledChangeId } from '#shared/table/queries/feed-cursor.ts';
import {
  decodeSnapshotCursor,
  encodeSnapshotCursor,
  type SnapshotPlace,
} from '#shared/table/queries/snapshot-cursor.ts';
import { authorize } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';

export interface SnapshotRequest {
  readonly appId: AppId;
  readonly limit: number;
  /** The cursor of the previous page; undefined for the first. */
  readonly after?: string | undefined;
}

/**
 * A page of everything that differs from the default for an application. The index shows at least the changes that were
 * settled before the first page; later ones are in the feed after `changesCursor`. An entry never moves within the index,
 * so no page can miss it.
 */
export async function readSnapshot(
  { appId, limit, after }: SnapshotRequest,
  context: RequestContext,
): Promise<SnapshotPage> {
  const sealed = await readApplication(appId);
  const at = now();
  const application = await authorize(context, sealed, at);
  const sections = sectionsOf(appId);
  const place =
    after === undefined
      ? firstPlace(at)
      : decodeSnapshotCursor(
          appId,
          after,
          sections.map(({ range }) => range),
        );
  const { entries, next } = await readEntries(sections, place, { limit, at });
  const count = place.count + entries.length;
  const { rolloutPercent, version } = application;
  return {
    items: entries,
    cursor: next === undefined ? null : encodeSnapshotCursor(appId, { ...next, count }),
    total: next === undefined ? count : null,
    changesCursor: feedCursorAt(appId, place.settled),
    rolloutPercent,
    applicationVersion: version,
  };
}

function firstPlace(at: Date): SnapshotPlace {
  return { settled: settledChangeId(at), count: 0, range: 0, after: undefined };
}

interface Section {
  readonly range: Range;
  /** Undefined for an item that equals the default. */
  readonly entryOf: (item: Item, at: Date) => SnapshotEntry | undefined;
}

/** The most queries per request: the entries of four full queries fit in a response of 6 MB. */
const maxQueries = 4;
/** The time after which a page ends, far below the timeout of a request. */
const pageMilliseconds = 1500;

function sectionsOf(appId: AppId): readonly Section[] {
  return [
    { range: ranges.erasedUsers(), entryOf: erasedEntry },
    { range: ranges.inactiveUsers(''), entryOf: inactiveEntry },
    { range: ranges.applicationUsers(appId), entryOf: accessEntry },
  ];
}

/** The next entries; `next` is where the following page begins, undefined at the end. */
async function readEntries(
  sections: readonly Section[],
  from: SnapshotPlace,
  { limit, at }: { readonly limit: number; readonly at: Date },
) {
  const entries: SnapshotEntry[] = [];
  let place = from;
  for (let query = 1; ; query++) {
    const section = sections[place.range];
    if (section === undefined) return { entries, next: undefined };
    const left = limit - entries.length;
    const isLate = now().getTime() - at.getTime() > pageMilliseconds;
    if (left === 0 || query > maxQueries || isLate) return { entries, next: place };
    const { items, next } = await queryItems(section.range, { limit: left, after: place.after });
    entries.push(...items.flatMap((item) => section.entryOf(item, at) ?? []));
    place = next === undefined ? { ...place, range: place.range + 1, after: undefined } : { ...place, after: next };
  }
}

function erasedEntry(item: Item): SnapshotEntry {
  const { userId, erasedAt, lastChangeId: changeId } = erasedUserOf(item);
  return { kind: 'erased', userId, erasedAt: erasedAt ?? null, changeId };
}

function inactiveEntry(item: Item): SnapshotEntry {
  return { kind: 'inactive', ...inactiveMarkOf(item) };
}

function accessEntry(item: Item, at: Date): SnapshotEntry | undefined {
  const access = accessOf(item);
  if (isDefaultAccess(access, at)) return undefined;
  const { userId, userCreatedAt, status, version, updatedAt, lastChangeId: changeId } = access;
  const roles = liveGrants(access, at).map(([name, { expiresAt }]) => ({ name, expiresAt }));
  const setting = pickFields(accessFields, access);
  return { kind: 'access', userId, userCreatedAt, status, ...setting, roles, version, updatedAt, changeId };
}
