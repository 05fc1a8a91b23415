import type { Change } from '#shared/contract/change.ts';
import type { BulkId } from '#shared/contract/fields.ts';
import type { ItemAfter } from '#shared/domain/history/undo-change.ts';
import { genuineChangesOf } from '#shared/domain/history/verify-changes.ts';
import type { UndoableChange } from '#shared/table/items/read-change.ts';
import { userHistoryRanges } from '#shared/table/keys/change-item-keys.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';

/** A bulk all of whose changes are undone. */
export interface WholeBulk {
  readonly bulkId: BulkId;
  /** An id below those of all its changes. */
  readonly above: string;
}

/**
 * The version of the item up to which only the bulk has modified it since this Change: its other changes, such as another role
 * of the same access, and what undid them. Reads the history of the user, strongly consistent.
 */
export async function itemAfterBulk(change: UndoableChange, { bulkId, above }: WholeBulk): Promise<ItemAfter> {
  const [range] = userHistoryRanges(change.userId, { descending: false, above });
  const items = range === undefined ? [] : await readAllOf(range);
  const changes = await genuineChangesOf(items);
  const ofBulk = new Map(changes.flatMap((each) => (each.bulkId === bulkId ? [[each.id, each] as const] : [])));
  const undone = new Set(changes.map(({ undoOf }) => undoOf));
  const isOwn = (later: Change) =>
    ofBulk.has(later.undoOf ?? '') ||
    (ofBulk.has(later.id) && (undone.has(later.id) || partOf(later) !== partOf(change)));
  let { version } = change.after;
  let undo: Change | undefined;
  for (const later of changes.filter(({ id, appId }) => id > change.id && isSameItem({ appId }, change))) {
    // An undo that is undone counts as somebody's decision: the version then stays behind, and undoing is refused.
    if (!isOwn(later) || (undo !== undefined && later.undoOf === undo.id)) return { version, isUndone: false };
    if (later.undoOf === change.id) undo = later;
    else if (undo === undefined) version = Number(later.after?.version);
  }
  return { version, isUndone: undo !== undefined };
}

function isSameItem(one: { readonly appId?: string | undefined }, other: UndoableChange): boolean {
  return one.appId === ('appId' in other ? other.appId : undefined);
}

/** The part of an item that a change concerns: the status, the names, or one role. */
function partOf({ action, role = '' }: { readonly action: string; readonly role?: string | undefined }): string {
  return role === '' ? action : role;
}
