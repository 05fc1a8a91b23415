import type { Deletion } from '#shared/contract/answers.ts';
import { identity, performWrite } from '#shared/domain/request/perform-write.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { type DeletionTime, settlesAt, startDeletion } from '#shared/domain/request/settling.ts';
import { transact } from '#shared/table/client.ts';
import { type Connection, readConnectionItem, sweptConnectionEntry } from '../table/connection-item.ts';
import { changeConnection, type NamedConnection, recordedConnection } from './connections.ts';
import { partsOfKind } from './parts-of-kind.ts';

/**
 * Deletes a connection, whose tokens stop working immediately. What is kept of it is deleted too, such as what a
 * directory said of its users and groups; the users keep their status and their roles. A repeated request continues.
 */
export async function deleteConnection(named: NamedConnection, context: RequestContext): Promise<Deletion> {
  const time = startDeletion();
  const { connectionId } = named;
  const before = await readConnectionItem(connectionId);
  if (before?.deleted === true && hasMore(before.connection) && !before.swept) {
    const { changed } = await completedDeletion(context);
    return { changed, complete: await sweepConnection(before.connection, time) };
  }
  const { changed, connection } = await changeConnection(named, context, {
    decide: (current) => ({ action: 'connection.deleted', next: {}, before: recordedConnection(current), after: null }),
    answerOf: (outcome) => outcome,
  });
  const isWhole = !hasMore(connection) || context.dryRun === true;
  return { changed, complete: isWhole || (await sweepConnection(connection, time)) };
}

/** Whether anything is kept beside connections of this kind. */
function hasMore({ kind }: DeletedConnection): boolean {
  return partsOfKind(kind).length > 0;
}

type Deleted = Pick<Deletion, 'changed'>;

/** What the call that deleted the connection was answered, to a later attempt of it; to any other call, that nothing changed. */
function completedDeletion(context: RequestContext): Promise<Deleted> {
  const decide = async () => ({ answer: { changed: false } });
  return performWrite<Deleted, Deleted>(context, { decide, toStored: identity, fromStored: identity });
}

/** A connection that has been deleted. */
export type DeletedConnection = Pick<Connection, 'connectionId' | 'kind'>;

/**
 * Deletes what is kept of a deleted connection, and repeats once no earlier request can still write, until a pass finds
 * nothing. False when time ran out.
 */
export async function sweepConnection(
  deleted: DeletedConnection,
  { hasTime, waitUntil }: DeletionTime,
): Promise<boolean> {
  const settled = settlesAt();
  while (hasTime() && (await deletePage(deleted)));
  if (!(await waitUntil(settled))) return false;
  while (await deletePage(deleted)) if (!hasTime()) return false;
  await transact([sweptConnectionEntry(deleted.connectionId)]);
  return true;
}

/** Whether anything was found. */
async function deletePage({ connectionId, kind }: DeletedConnection): Promise<boolean> {
  const found: boolean[] = [];
  for (const part of partsOfKind(kind)) found.push(await part.deleteItems(connectionId));
  return found.includes(true);
}
