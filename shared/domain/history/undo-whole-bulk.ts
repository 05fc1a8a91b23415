import type { Change } from '#shared/contract/change.ts';
import type { BulkId } from '#shared/contract/fields.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import type { UndoableChange } from '#shared/table/items/read-change.ts';
import { ranges } from '#shared/table/keys.ts';
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
export async function versionAfterBulk(change: UndoableChange, { bulkId, above }: WholeBulk): Promise<number> {
  const [range] = ranges.userHistory(change.userId, { descending: false, above });
  const items = range === undefined ? [] : await readAllOf(range);
  const changes = items.map(changeOf);
  const ofBulk = new Map(changes.flatMap((each) => (each.bulkId === bulkId ? [[each.id, each] as const] : [])));
  const undone = new Set(changes.map(({ undoOf }) => undoOf));
  let { version } = change.after;
  for (const later of changes) {
    if (later.id <= change.id || !isSameItem(later, change)) continue;
    const inverted = ofBulk.get(later.undoOf ?? '');
    const isOwn = ofBulk.has(later.id) && (undone.has(later.id) || partOf(later) !== partOf(change));
    // Undone before: then it is not to be undone again.
    if (inverted?.id === change.id || (inverted === undefined && !isOwn)) break;
    version = Number(later.after?.version);
  }
  return version;
}

function isSameItem(one: Pick<Change, 'appId'>, other: UndoableChange): boolean {
  return one.appId === ('appId' in other ? other.appId : undefined);
}

/** The part of an item that a change concerns: the status, the names, or one role. */
function partOf({ action, role = '' }: { readonly action: string; readonly role?: string | undefined }): string {
  return role === '' ? action : role;
}
