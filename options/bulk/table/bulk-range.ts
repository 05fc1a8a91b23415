import type { AppId } from '#shared/contract/fields.ts';
import type { ChangeSpan, Range } from '#shared/table/key.ts';
import { applicationChangesRange, userChangesForAllRange } from '#shared/table/keys/change-item-keys.ts';

/** The changes of one bulk in an application or, without one, those of users' statuses. */
export function changesOfBulkRange(appId: AppId | undefined, bulkId: string, span: ChangeSpan): Range {
  const all = appId === undefined ? userChangesForAllRange(span) : applicationChangesRange(appId, span);
  return { ...all, where: { attribute: 'bulkId', value: bulkId } };
}
