import { accessFields } from '#shared/contract/access-fields.ts';
import type { SnapshotEntry, SnapshotPage, SnapshotRange } from '#shared/contract/access-snapshot.ts';
import { digestOf, erasedUntil, settingOf, textOfAccess, textOfErased } from '#shared/contract/entry-digest.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { type Item, queryItems, readItems } from '#shared/table/client.ts';
import { accessOf, isDefaultAccess, liveGrants, ownerOf } from '#shared/table/items/access-item.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import { inactiveMarkOf } from '#shared/table/items/inactive-mark-item.ts';
import { erasedUserOf } from '#shared/table/items/user-item.ts';
import type { Range } from '#shared/table/key.ts';
import { accessEntriesRange, accessKey } from '#shared/table/keys/access-item-keys.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { erasedUsersRange, inactiveUsersRange } from '#shared/table/keys/user-item-keys.ts';
import { currentPosition, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
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
  /** Whether to omit the entries and answer only their digests. Default: false. */
  readonly digest?: 'true' | 'false';
}

/**
 * A page of everything that differs from the default for an application. `changesCursor` is the end of the feeds before the
 * first page was read. Everything is read strongly consistent, so an entry contains at least the changes before it, and later
 * ones follow it.
 */
export async function readSnapshot(
  { appId, limit, after, digest }: SnapshotRequest,
  context: RequestContext,
): Promise<SnapshotPage> {
  const startedAt = now().getTime();
  // Before the application, whose changes follow the cursor too.
  const first = after === undefined ? await firstPlace(appId) : undefined;
  const guarded = await readApplication(appId);
  const at = now();
  const application = await authorize(context, guarded, at);
  const place = first ?? decodeSnapshotCursor(appId, after ?? '', rangesOf(appId));
  const { parts, next } = await readParts(sectionsOf(appId), place, { limit, at, startedAt });
  const entries = parts.flatMap((part) => part.entries);
  const count = place.count + entries.length;
  const liveAt = at.getTime() + liveMilliseconds;
  const { rolloutPercent, version } = application;
  return {
    items: digest === 'true' ? [] : entries,
    ranges: parts.map((part) => rangeOf(part, liveAt)),
    liveAt: new Date(liveAt).toISOString(),
    cursor: next === undefined ? null : encodeSnapshotCursor(appId, { ...next, count }),
    total: next === undefined ? count : null,
    changesCursor: place.changesCursor,
    rolloutPercent,
    applicationVersion: version,
  };
}

function rangesOf(appId: AppId): Range[] {
  return sectionsOf(appId).map(({ range }) => range);
}

async function firstPlace(appId: AppId): Promise<SnapshotPlace> {
  const [own, users] = await Promise.all([currentPosition(appId), currentPosition(usersFeed)]);
  const changesCursor = encodeFeedCursor(appId, { feeds: [own, users], pendingAfter: undefined });
  return { changesCursor, count: 0, range: 0, after: undefined };
}

interface Section {
  readonly kind: SnapshotEntry['kind'];
  readonly range: Range;
  /** The entries of listed items; none for one that equals the default. */
  readonly entriesOf: (items: readonly Item[], at: Date) => Promise<readonly SnapshotEntry[]>;
}

/** What a page has of one section. */
interface Part extends Pick<SnapshotRange, 'kind' | 'through'> {
  readonly entries: readonly SnapshotEntry[];
}

/** More than the service and a copy need until both have evaluated a page, with clocks that differ by five minutes. */
const liveMilliseconds = 10 * 60_000;

function rangeOf({ kind, through, entries }: Part, liveAt: number): SnapshotRange {
  return { kind, through, digest: digestOf(entries.map((entry) => textOf(entry, liveAt))) };
}

function textOf(entry: SnapshotEntry, liveAt: number): string | undefined {
  const { userId } = entry;
  if (entry.kind === 'inactive') return userId;
  if (entry.kind === 'erased') return textOfErased(userId, erasedUntil(timeOfUlid(entry.changeId)), liveAt);
  const { status, until, roles } = entry;
  return textOfAccess({ userId, setting: status !== null && settingOf(status, until), roles }, liveAt);
}

/** The most queries per request: the entries of four full queries fit in a response of 6 MB. */
const maxQueries = 4;
/** The time after which a page ends, far below the timeout of a request. */
const pageMilliseconds = 1500;

function sectionsOf(appId: AppId): readonly Section[] {
  return [
    { kind: 'erased', range: erasedUsersRange(), entriesOf: async (items) => items.map(erasedEntry) },
    { kind: 'inactive', range: inactiveUsersRange(''), entriesOf: async (items) => items.map(inactiveEntry) },
    {
      kind: 'access',
      range: accessEntriesRange(appId),
      entriesOf: (items, at) => readAccessEntries(appId, items, at),
    },
  ];
}

/** The next entries; `next` is where the following page begins, undefined at the end. */
async function readParts(
  sections: readonly Section[],
  from: SnapshotPlace,
  { limit, at, startedAt }: { readonly limit: number; readonly at: Date; readonly startedAt: number },
) {
  const parts: Part[] = [];
  let place = from;
  let left = limit;
  for (let query = 1; ; query++) {
    const section = sections[place.range];
    if (section === undefined) return { parts, next: undefined };
    const isLate = now().getTime() - startedAt > pageMilliseconds;
    // Without a query, a slow table would be given the same page again and again.
    if (left === 0 || query > maxQueries || (isLate && query > 1)) return { parts, next: place };
    const { items, next } = await queryItems(section.range, { limit: left, after: place.after });
    const entries = await section.entriesOf(items, at);
    const last = items.at(-1);
    if (next === undefined) parts.push({ kind: section.kind, through: null, entries });
    else if (last !== undefined) parts.push({ kind: section.kind, through: ownerOf(last), entries });
    left -= entries.length;
    place = next === undefined ? { ...place, range: place.range + 1, after: undefined } : { ...place, after: next };
  }
}

/** An access that has been deleted since it was listed is the default. */
async function readAccessEntries(appId: AppId, listed: readonly Item[], at: Date): Promise<SnapshotEntry[]> {
  const accesses = await readItems(listed.map((item) => accessKey(ownerOf(item), appId)));
  return accesses.flatMap((item) => (item === undefined ? [] : (accessEntry(item, at) ?? [])));
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
