import type { AppId } from '#shared/contract/fields.ts';
import { now, runWithin } from '#shared/core/clock.ts';
import { createRequestToken } from '#shared/core/ids.ts';
import { log } from '#shared/core/telemetry.ts';
import type { OptionRepair, RepairedUser, Repairing } from '#shared/domain/request/option-repair.ts';
import { readItems, type TransactEntry } from '#shared/table/client.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { type User, userOf } from '#shared/table/items/user-item.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { styleId } from '../cognito/client-style.ts';
import { hasAttributesOf, isAccountOf, type PoolAccount } from '../cognito/pool-accounts.ts';
import { isClientOf } from '../cognito/pool-clients.ts';
import { type AccountCopy, accountCopyOf, accountOf } from '../table/login-account-item.ts';
import { applicationOfClient, type LoginClient, loginClientOf, loginOf } from '../table/login-item.ts';
import {
  accountCopyKey,
  accountTaskKey,
  clientApplicationKey,
  clientTaskKey,
  loginClientKey,
} from '../table/login-item-keys.ts';
import { noteTaskEntry } from '../table/login-task-item.ts';
import { loginPoolOrNone } from './login-config.ts';
import { canBeInvited, readOwnAccount } from './sync-account.ts';

/** A repair compares the pool with the table; what differs, the function that follows the stream brings up to date within a minute. */
export const loginRepair: OptionRepair = { repairUser: repairAccount };

/** A page of a repair has no more time for a pool that does not answer. */
const poolMilliseconds = 2_000;

async function repairAccount({ userId, user: known, deleting }: RepairedUser, run: Repairing): Promise<boolean> {
  const pool = loginPoolOrNone();
  if (pool === undefined || deleting) return false;
  const [item, copyItem, task] = await readItems([userKey(userId), accountCopyKey(userId), accountTaskKey(userId)]);
  const [user, copy] = [userOf(item), accountCopyOf(copyItem)];
  const hasAccount = user !== undefined && accountOf(user) !== undefined;
  // Of an erased user the pool may have what the table knows nothing of.
  if (task !== undefined || (known !== undefined && !hasAccount && copy === undefined)) return false;
  try {
    const found = await runWithin(poolMilliseconds, () => readOwnAccount(pool, userId));
    if (isInStep(hasAccount ? user : undefined, copy, found)) return false;
  } catch (error) {
    log.warn('The account of a user could not be compared', { userId, error });
    run.note('login-account', { userId });
    return false;
  }
  const deletedAt = hasAccount ? undefined : now().toISOString();
  const entry = noteTaskEntry({ userId }, { changeId: createRequestToken(), deletedAt });
  return run.repair('login-account', { userId }, [entry]);
}

/** Whether the pool has what it should have of a user. What it refused for good, another change of the user may set right. */
function isInStep(user: User | undefined, copy: AccountCopy | undefined, found: PoolAccount | undefined): boolean {
  if (user === undefined) return found === undefined && copy === undefined;
  if (copy?.signedOutAt !== accountOf(user)?.signedOutAt || copy?.statusChangeId !== user.statusChangeId) return false;
  if (found === undefined) return copy?.error !== null || !canBeInvited(user);
  if (!isAccountOf(found, user) || found.enabled !== (user.status === 'active')) return false;
  return copy?.error !== null || hasAttributesOf(found, user);
}

/** What hands the client of an application to the function that brings it up to date; nothing if it is, or is going to be. */
export async function repairClient(appId: AppId, application: Application): Promise<readonly TransactEntry[]> {
  const pool = loginPoolOrNone();
  if (pool === undefined) return [];
  const [item, task] = await readItems([loginClientKey(appId), clientTaskKey(appId)]);
  if (task !== undefined || (await isClientInStep(pool, application, loginClientOf(item)))) return [];
  return [noteTaskEntry({ appId }, { changeId: createRequestToken() })];
}

async function isClientInStep(pool: string, application: Application, client: LoginClient | undefined) {
  const login = loginOf(application);
  if (login === undefined || client === undefined) return login === client;
  const { appId, clientId, style, error } = client;
  if (error !== null) return true;
  if (clientId === null || style !== styleId()) return false;
  const [item] = await readItems([clientApplicationKey(clientId)]);
  if (applicationOfClient(item) !== appId) return false;
  try {
    return await runWithin(poolMilliseconds, () => isClientOf(pool, clientId, appId, login));
  } catch (failure) {
    log.warn('The client of an application could not be compared', { appId, error: failure });
    return true;
  }
}
