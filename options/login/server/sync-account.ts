import type { UserId } from '#shared/contract/fields.ts';
import { log } from '#shared/core/telemetry.ts';
import { readItems, transact } from '#shared/table/client.ts';
import { type User, userOf } from '#shared/table/items/user-item.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { isAddressTaken, isNameTaken, isRefusal, mayAcceptLater, type PoolError } from '../cognito/call-pool.ts';
import { hasCompanyLogin } from '../cognito/company-login.ts';
import * as pool from '../cognito/pool-accounts.ts';
import {
  type Account,
  type AccountCopy,
  accountCopyOf,
  accountOf,
  deleteCopyEntry,
  putCopyEntry,
} from '../table/login-account-item.ts';
import { accountCopyKey } from '../table/login-item-keys.ts';
import type { TaskOutcome } from './task-outcome.ts';

/** The account that a person is to have, and what the pool was told of it before. */
export interface WantedAccount {
  readonly user: User;
  readonly account: Account;
  readonly copy: AccountCopy | undefined;
}

/**
 * Brings the account of a user up to date with the table, in at most three requests for a change of the status. What was made before
 * `deletedAt` is of another user with this id, or of an account that was deleted.
 */
export async function syncAccount(poolId: string, userId: UserId, deletedAt = ''): Promise<TaskOutcome> {
  const [item, copyItem] = await readItems([userKey(userId), accountCopyKey(userId)]);
  const [user, known] = [userOf(item), accountCopyOf(copyItem)];
  const account = user && accountOf(user);
  if (user === undefined || account === undefined)
    return remove(poolId, userId, known !== undefined || deletedAt !== '');
  const isFormer = known !== undefined && known.madeAt < deletedAt;
  const wanted = { user, account, copy: isFormer ? undefined : known };
  try {
    await tell(poolId, wanted, isFormer);
    return { entries: [putCopyEntry(copyOf(wanted, null))], isWaiting: false };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn('The provider refused an account', { error: error.code });
    return { entries: [putCopyEntry(copyOf(wanted, error))], isWaiting: mayAcceptLater(error) };
  }
}

/** Without an account that was made or deleted there is nothing to look for. */
async function remove(poolId: string, userId: UserId, isExpected: boolean): Promise<TaskOutcome> {
  if (!isExpected) return { entries: [], isWaiting: false };
  if ((await readOwnAccount(poolId, userId)) !== undefined) await pool.deleteAccount(poolId, userId);
  return { entries: [deleteCopyEntry(userId)], isWaiting: false };
}

/** The account of a user; one of this name that another user has is not found. */
export async function readOwnAccount(poolId: string, userId: UserId): Promise<pool.PoolAccount | undefined> {
  try {
    return await pool.readAccount(poolId, userId);
  } catch (error) {
    if (isNameTaken(error)) return undefined;
    throw error;
  }
}

/** What the pool has been told; after an error an invitation has to be sent again. */
function copyOf({ user, account, copy }: WantedAccount, error: PoolError | null): AccountCopy {
  const { userId, status, statusChangeId, updatedAt } = user;
  const { invitedAt, signedOutAt } = account;
  return {
    userId,
    madeAt: copy?.madeAt ?? updatedAt,
    invitedAt: error === null && canBeInvited(user) ? invitedAt : null,
    signedOutAt,
    statusChangeId,
    enabled: status === 'active',
    error: error === null ? null : error.message,
  };
}

/** Whether an invitation has somewhere to go, and its receiver may log in. */
export function canBeInvited({ status, email }: User): boolean {
  return status === 'active' && email !== null;
}

async function tell(poolId: string, wanted: WantedAccount, isFormer: boolean): Promise<void> {
  const { user, copy } = wanted;
  const found = await pool.readAccount(poolId, user.userId);
  if (found !== undefined && !isFormer && pool.isAccountOf(found, user)) return align(poolId, wanted, found);
  if (found !== undefined) await pool.deleteAccount(poolId, user.userId);
  // Nobody is invited who may not log in.
  if (!canBeInvited(user)) return;
  // Known before it exists, so that it is deleted with the user even if this function ends here.
  if (copy === undefined) await transact([putCopyEntry(copyOf(wanted, null))]);
  await pool.createAccount(poolId, user);
}

/** Whoever may not log in is kept out first; only then follows what else has changed. */
async function align(poolId: string, wanted: WantedAccount, found: pool.PoolAccount): Promise<void> {
  const { userId, status } = wanted.user;
  const isEnabled = status === 'active';
  if (!isEnabled && found.enabled) await pool.enableAccount(poolId, userId, false);
  if (endsSessions(wanted, found)) await pool.signOutAccount(poolId, userId);
  if (isEnabled && !found.enabled) await pool.enableAccount(poolId, userId, true);
  const isMoved = await moveAccount(poolId, wanted, found);
  const isTold = wanted.copy?.invitedAt === wanted.account.invitedAt && !isMoved;
  if (!isTold && canBeInvited(wanted.user) && needsPassword(wanted.user, found)) {
    await pool.sendInvitation(poolId, userId);
  }
}

/** Whoever logs in at the provider of a company is sent no password. */
function needsPassword({ email }: User, { status }: pool.PoolAccount): boolean {
  return status === pool.invitedStatus && !hasCompanyLogin(email);
}

/** Also those of a user who was inactive only for a moment, and if an earlier run ended before it came to this. */
function endsSessions({ user, account, copy }: WantedAccount, found: pool.PoolAccount): boolean {
  if (user.status !== 'active') return found.enabled || copy?.enabled !== false;
  const wasInactive = copy?.enabled === true && copy.statusChangeId !== user.statusChangeId;
  return wasInactive || (account.signedOutAt !== null && account.signedOutAt !== copy?.signedOutAt);
}

/** Sets the name and the address. True if an invitation, which only the former address has, must be sent again. */
async function moveAccount(poolId: string, wanted: WantedAccount, found: pool.PoolAccount): Promise<boolean> {
  const { user, copy } = wanted;
  const isMoved = user.email !== null && found.attributes.email !== user.email;
  const isInvited = isMoved && found.status === pool.invitedStatus;
  if (isInvited && copy?.invitedAt) await transact([putCopyEntry({ ...copy, invitedAt: null })]);
  try {
    if (!pool.hasAttributesOf(found, user)) await pool.updateAccount(poolId, user);
  } catch (error) {
    // It no longer is the address of this user, and may be that of another one.
    if (isMoved && isAddressTaken(error)) await pool.releaseAddress(poolId, user.userId);
    throw error;
  }
  return isInvited;
}
