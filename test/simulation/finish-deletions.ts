import type { Item, MemoryTable } from '../../local/memory/memory-table.ts';
import type { CallRecord, Clients } from './clients.ts';
import type { Answer } from './operations.ts';
import { isApplication, isConnection, isDeleting, isOfDirectory, isRole, isUser } from './stored-state.ts';

/** Repeats deletions that ran out of time until they are complete, as in the runbook; those of groups their directory repeats. */
export async function finishDeletions(table: MemoryTable, clients: Clients): Promise<void> {
  for (const item of table.items().filter((one) => isDeleting(one) && !isOfDirectory(one))) {
    let isComplete = false;
    for (let tries = 0; tries < maxDeletions && !isComplete; tries++) {
      const { outcome } = await deleteAgain(item, clients);
      isComplete = outcome !== undefined && isOver(outcome);
    }
    if (!isComplete) throw new Error(`The deletion of ${item.pk} ${item.sk} never completes`);
  }
}

/** Also if its application is gone. */
function isOver(outcome: Answer): boolean {
  if (outcome.kind === 'refused') return outcome.status === 404;
  return outcome.kind === 'done' && outcome.body.complete === true;
}

const maxDeletions = 20;

function deleteAgain(item: Item, clients: Clients): Promise<CallRecord> {
  const { userId, appId, role, connectionId } = item as Record<'userId' | 'appId' | 'role' | 'connectionId', string>;
  if (isUser(item)) return clients.call('delete-user', { userId });
  if (isRole(item)) return clients.call('delete-role', { appId, role, force: true });
  if (isConnection(item)) return clients.callOf('delete-connection', { connectionId });
  if (isApplication(item)) return clients.call('delete-application', { appId, force: true });
  throw new Error(`Nothing deletes ${item.pk} ${item.sk}`);
}
