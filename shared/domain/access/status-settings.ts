import type { Answer } from '#shared/contract/answers.ts';
import type { UserId } from '#shared/contract/fields.ts';
import type { statusSettingSchema } from '#shared/contract/status-setting.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { readChanges } from '#shared/table/items/read-change.ts';

export type StatusSetting = Answer<typeof statusSettingSchema>;

/** A reference to the Change that set a status; `null` if none is set. */
export interface StatusSource {
  readonly userId: UserId;
  readonly statusChangeId: string | null;
}

/**
 * Who set each of these statuses, when and why; one request per hundred statuses. Read from the Changes, so that an
 * operator's personal data is stored in one place and removed with the retention; the time is part of the id, so it stays.
 */
export async function readStatusSettings(
  sources: readonly StatusSource[],
): Promise<(source: StatusSource) => StatusSetting | null> {
  const known = sources.flatMap(({ userId, statusChangeId }) =>
    statusChangeId === null ? [] : [{ userId, changeId: statusChangeId }],
  );
  const changes = await readChanges(known);
  return ({ statusChangeId: changeId }) => {
    if (changeId === null) return null;
    const { caller = null, reason = null, ticket = null, bulkId = null } = changes.get(changeId) ?? {};
    return { changeId, at: new Date(timeOfUlid(changeId)).toISOString(), caller, reason, ticket, bulkId };
  };
}
