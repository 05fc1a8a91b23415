import type { SetBy } from '#shared/contract/set-by.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { type ChangeOwner, readChanges } from '#shared/table/items/read-change.ts';

/** A reference to the Change that made a setting: `null` if nothing was set, undefined if the Change is not known. */
export type SettingSource = ChangeOwner & { readonly changeId: string | null | undefined };

/**
 * Who made each of these settings, when and why; one request per hundred settings. An access, a user
 * and a grant store only the id of the Change that set them (`statusChangeId`, `changeId`), an application that of its last review
 * (`lastReview`). So an operator's personal data is in one place, the Changes, and is removed with the retention; the time is part
 * of the id, so it stays.
 */
export async function readSetBy(
  sources: readonly SettingSource[],
): Promise<(changeId: string | null | undefined) => SetBy | null> {
  const known = new Map(
    sources.flatMap((source) => {
      const { changeId } = source;
      return changeId ? [[changeId, { ...source, changeId }] as const] : [];
    }),
  );
  const changes = await readChanges([...known.values()]);
  return (changeId) => {
    if (!changeId) return null;
    const { caller = null, reason = null, ticket = null, bulkId = null } = changes.get(changeId) ?? {};
    return { changeId, at: new Date(timeOfUlid(changeId)).toISOString(), caller, reason, ticket, bulkId };
  };
}
