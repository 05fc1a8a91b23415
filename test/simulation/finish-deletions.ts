import type { CallRecord, Clients } from './clients.ts';
import type { Item, SimulatedTable } from './simulated-table.ts';
import { isApplication, isDeleting, isRole, isUser } from './stored-state.ts';

/** A deletion that ran out of time is repeated until it is complete, as the runbook says. */
export async function finishDeletions(table: SimulatedTable, clients: Clients): Promise<void> {
  for (const item of table.items().filter(isDeleting)) {
    for (let tries = 0; tries < maxDeletions; tries++) {
      const { outcome } = await deleteAgain(item, clients);
      if (outcome?.kind === 'refused' && outcome.status === 404) break;
      if (outcome?.kind === 'done' && outcome.body.complete === true) break;
    }
  }
}

const maxDeletions = 20;

function deleteAgain(item: Item, clients: Clients): Promise<CallRecord> {
  const { userId, appId, role } = item as { userId: string; appId: string; role: string };
  if (isUser(item)) return clients.call('delete-user', { userId });
  if (isRole(item)) return clients.call('delete-role', { appId, role, force: true });
  if (isApplication(item)) return clients.call('delete-application', { appId, force: true });
  throw new Error(`Nothing deletes ${item.pk} ${item.sk}`);
}
