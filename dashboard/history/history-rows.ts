import type { Page } from '#shared/contract/answers.ts';
import { bulkClockSeconds, bulkHours } from '#shared/contract/bulk.ts';
import type { ChangeView } from '#shared/contract/change.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { callerId } from '#shared/contract/wording.ts';

/** A row of a history: one change, or those of a bulk change or of its undo by one operator. */
export type HistoryRow = ChangeRow | BulkRow;

export interface ChangeRow {
  readonly kind: 'change';
  readonly id: string;
  readonly change: ChangeView;
}

export interface BulkRow {
  readonly kind: 'bulk';
  readonly id: string;
  readonly bulkId: string;
  readonly isUndo: boolean;
  /** The newest change. */
  readonly newest: ChangeView;
  /** The changes loaded for this page, newest first. */
  readonly changes: readonly ChangeView[];
}

export function rowOf(change: ChangeView): ChangeRow {
  return { kind: 'change', id: change.id, change };
}

/** The changes in rows, the newest first. */
export function changesIn(rows: readonly HistoryRow[]): ChangeView[] {
  return rows.flatMap((row) => (row.kind === 'bulk' ? row.changes : [row.change]));
}

/** The application of a bulk; undefined if it changed several, or the users themselves. */
export function appOfBulk({ changes }: BulkRow): string | undefined {
  const [appId, ...others] = new Set(changes.map((change) => change.appId));
  return others.length === 0 ? appId : undefined;
}

/** A bulk to which older changes may belong: its key, and the time in milliseconds before which none does. */
type OpenBulk = readonly [key: string, since: number];

/** Loads a page of at most that many changes, or of the default size. */
export type LoadChanges = (cursor: string | undefined, limit: number | undefined) => Promise<Page<ChangeView>>;

/** The parameter `limit` of a page. */
export function limitText(limit: number | undefined): string | undefined {
  return limit === undefined ? undefined : String(limit);
}

const fewRows = 25;

/**
 * A page of a history in which a bulk change is one row. Reads on behind a long bulk until there are enough rows, up to
 * `maxRequests`. The cursor remembers which bulks have a row already, so that the next page leaves out the rest of them.
 */
export async function loadRows(
  load: LoadChanges,
  cursor: string | undefined,
  maxRequests: number,
): Promise<Page<HistoryRow>> {
  let [place, open] = readCursor(cursor);
  const rows: HistoryRow[] = [];
  for (let request = 1; ; request++) {
    const page = await load(place, request === 1 ? undefined : maxPageSize);
    for (const change of page.items) open = addTo(rows, open, change);
    if (page.cursor === null) return { items: rows, cursor: null };
    place = page.cursor;
    const reached = page.items.at(-1)?.at;
    if (reached !== undefined) open = open.filter(([, since]) => since <= Date.parse(reached));
    const isCut = open.length > 0 && rows.length < fewRows;
    if (!isCut || request >= maxRequests) return { items: rows, cursor: writeCursor(place, open) };
  }
}

/** Adds a change to the rows, unless it belongs to a bulk with a row on an earlier page. */
function addTo(rows: HistoryRow[], open: readonly OpenBulk[], change: ChangeView): readonly OpenBulk[] {
  const { bulkId, undoOf, caller } = change;
  if (bulkId === undefined) {
    rows.push(rowOf(change));
    return open;
  }
  const isUndo = undoOf !== undefined;
  const key = isUndo ? `${bulkId} ${callerId(caller)}` : bulkId;
  const at = Date.parse(change.at);
  if (open.some(([known, since]) => known === key && at >= since)) {
    const index = rows.findLastIndex((row) => row.id.startsWith(`${key} from `));
    const row = rows[index];
    if (row?.kind === 'bulk') rows[index] = { ...row, changes: [...row.changes, change] };
    return open;
  }
  rows.push({ kind: 'bulk', id: `${key} from ${change.id}`, bulkId, isUndo, newest: change, changes: [change] });
  const since = isUndo ? at - bulkHours * 3_600_000 : timeOfUlid(bulkId) - bulkClockSeconds * 1000;
  return [...open.filter(([known]) => known !== key), [key, since]];
}

const divider = '~';

function writeCursor(place: string, open: readonly OpenBulk[]): string {
  return open.length === 0 ? place : `${place}${divider}${JSON.stringify(open)}`;
}

/** A cursor that somebody edited has no open bulks. */
function readCursor(cursor: string | undefined): [place: string | undefined, open: readonly OpenBulk[]] {
  const at = cursor?.indexOf(divider) ?? -1;
  if (cursor === undefined || at < 0) return [cursor, []];
  try {
    const open: unknown = JSON.parse(cursor.slice(at + 1));
    return [cursor.slice(0, at), Array.isArray(open) && open.every(isOpen) ? open : []];
  } catch {
    return [cursor.slice(0, at), []];
  }
}

function isOpen(value: unknown): value is OpenBulk {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
