import type { AppId } from '#shared/contract/fields.ts';
import { log } from '#shared/core/telemetry.ts';
import { readItems, type TransactEntry, transact } from '#shared/table/client.ts';
import { type Application, applicationOf } from '#shared/table/items/application-item.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { isRefusal, mayAcceptLater } from '../cognito/call-pool.ts';
import { styleClient, styleId } from '../cognito/client-style.ts';
import { createClient, deleteClient, findClient, updateClient } from '../cognito/pool-clients.ts';
import {
  deleteClientEntries,
  deleteClientNameEntries,
  type Login,
  type LoginClient,
  loginClientOf,
  loginOf,
  putClientEntries,
} from '../table/login-item.ts';
import { loginClientKey } from '../table/login-item-keys.ts';
import type { TaskOutcome } from './task-outcome.ts';

/**
 * Brings the client of an application up to date with its login in the table. A client that was made before `deletedAt` is of a
 * login that was deleted: its id and its secrets end.
 */
export async function syncClient(pool: string, appId: AppId, deletedAt = ''): Promise<TaskOutcome> {
  const [item, clientItem] = await readItems([applicationKey(appId), loginClientKey(appId)]);
  const [application, known] = [applicationOf(item), loginClientOf(clientItem)];
  const login = application && loginOf(application);
  const isFormer = known !== undefined && (login === undefined || known.madeAt < deletedAt);
  const removed = isFormer ? await remove(pool, known) : [];
  if (application === undefined || login === undefined) return { entries: removed, isWaiting: false };
  if (removed.length > 0) await transact(removed);
  return bring(pool, { application, login }, isFormer ? undefined : known);
}

/** The client is also found if the function that created it could not record its id. */
async function remove(pool: string, client: LoginClient): Promise<TransactEntry[]> {
  const clientId = client.clientId ?? (await findClient(pool, client.appId));
  if (clientId !== undefined) await deleteClient(pool, clientId);
  return deleteClientEntries(client);
}

interface Wanted {
  readonly application: Application;
  readonly login: Login;
}

async function bring(pool: string, wanted: Wanted, known: LoginClient | undefined): Promise<TaskOutcome> {
  const { appId, updatedAt } = wanted.application;
  const client = known ?? { appId, clientId: null, madeAt: updatedAt, error: null };
  try {
    const clientId = await tell(pool, wanted, client, known === undefined);
    const isOther = client.clientId !== clientId;
    const style = styleId();
    if (isOther || client.style !== style) await styleClient(pool, clientId);
    const former = isOther ? deleteClientNameEntries(client.clientId) : [];
    return { entries: [...former, ...putClientEntries({ ...client, clientId, style, error: null })], isWaiting: false };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn('The provider refused the login of an application', { appId, error: error.code });
    const entries = putClientEntries({ ...client, error: error.message });
    return { entries, isWaiting: mayAcceptLater(error) };
  }
}

/** Updates the client, and creates it if there is none, also if somebody has deleted it in the pool. Returns its id. */
async function tell(pool: string, { login }: Wanted, client: LoginClient, isNew: boolean): Promise<string> {
  const { appId, clientId } = client;
  if (clientId !== null && (await updateClient(pool, clientId, appId, login))) return clientId;
  // Known before it exists, so that it is deleted with the login even if this function ends here.
  if (isNew) await transact(putClientEntries(client));
  const found = await findClient(pool, appId);
  const created = found ?? (await createClient(pool, appId, login));
  if (found !== undefined) await updateClient(pool, found, appId, login);
  return created;
}
