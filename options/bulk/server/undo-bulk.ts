import type { Page } from '#shared/contract/answers.ts';
import { bulkClockSeconds, bulkHours } from '#shared/contract/bulk.ts';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, BulkId, UserId } from '#shared/contract/fields.ts';
import type { HeldRole } from '#shared/contract/operator-role.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { outcomeOf, type PerformPart, partOf, performParts } from '#shared/domain/request/in-bulk.ts';
import { listPage } from '#shared/domain/request/list-page.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { groupBy } from '#shared/integrity/group-by.ts';
import type { Item } from '#shared/table/client.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { readableChangeOf } from '#shared/table/items/change-item.ts';
import type { UndoableChange } from '#shared/table/items/read-change.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import type { UndoOutcome } from '../contract/bulk-undo.ts';
import { changesOfBulkRange } from '../table/bulk-range.ts';
import { itemAfterBulk } from './undo-whole-bulk.ts';

export interface UndoBulkCommand extends PageRequest {
  readonly bulkId: BulkId;
  /** Undefined for changes of users themselves. */
  readonly appId?: AppId;
  readonly dryRun?: boolean;
  readonly heldRoles: readonly HeldRole[];
}

/**
 * Undoes a page of the changes of a bulk, the latest first, each separately and only if the item was not modified since
 * outside the bulk.
 */
export async function undoBulk(command: UndoBulkCommand, context: OperatorContext): Promise<Page<UndoOutcome>> {
  const { appId, dryRun = false } = command;
  const require = async () => appId !== undefined && readExistingApplication(appId);
  const ofBulk = { ...context, dryRun };
  return performParts(ofBulk, require, (perform) => undoPage(command, ofBulk, perform));
}

async function undoPage(
  { bulkId, appId, dryRun: _, heldRoles, ...page }: UndoBulkCommand,
  context: OperatorContext,
  perform: PerformPart,
): Promise<Page<UndoOutcome>> {
  const span = spanOf(bulkId);
  const range = changesOfBulkRange(appId, bulkId, span);
  const { items, cursor } = await listPage(range, { ...page, list: bulkId }, madeChange);
  const itemAfter = (change: UndoableChange) => itemAfterBulk(change, { bulkId, above: span.above });
  const undoOne = async ({ id: changeId, userId = '' }: Change): Promise<UndoOutcome> => {
    const part = partOf(context, changeId);
    const one = { userId: userId as UserId, changeId, heldRoles, itemAfter };
    return { ...(await outcomeOf(userId, part, () => perform(part, () => undoChange(one, part)))), changeId };
  };
  // The changes of one user in turn: each depends on what was undone before.
  const groups = [...groupBy(items, ({ userId }) => userId).values()];
  const outcomes = await mapConcurrently(groups, async (changes) => {
    const undone: UndoOutcome[] = [];
    for (const change of changes) undone.push(await undoOne(change));
    return undone;
  });
  return { items: outcomes.flat(), cursor };
}

/** The change of an item; undefined if it is an undo, which has the id of the bulk too. */
function madeChange(item: Item): Change | undefined {
  const change = readableChangeOf(item);
  return change?.undoOf === undefined ? change : undefined;
}

/** The range of ids of the bulk's changes; allows for a client clock that was ahead. */
function spanOf(bulkId: BulkId) {
  const begin = timeOfUlid(bulkId);
  const slack = bulkClockSeconds * 1000;
  return {
    descending: true,
    above: lowestUlid(new Date(begin - slack)),
    below: lowestUlid(new Date(begin + bulkHours * 3_600_000 + slack)),
  };
}
