import type { Changed, Deletion } from '#shared/contract/answers.ts';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { now, runWithin } from '#shared/core/clock.ts';
import { log } from '#shared/core/telemetry.ts';
import { performWrite } from '#shared/domain/request/perform-write.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { changeUserEntries, type UserChange } from '#shared/domain/user/change-user.ts';
import { readItems } from '#shared/table/client.ts';
import { readExistingUser, requireUser, type User, userOf } from '#shared/table/items/user-item.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { invitedStatus, type PoolAccount, readAccount } from '../cognito/pool-accounts.ts';
import { identitiesOf } from '../cognito/provider-identities.ts';
import type { AccountView } from '../contract/login.ts';
import { type Account, type AccountCopy, accountCopyOf, accountOf } from '../table/login-account-item.ts';
import { accountCopyKey } from '../table/login-item-keys.ts';
import { issuerOf, loginPoolOrNone, missingLogin } from './login-config.ts';
import { recordedAccount } from './recorded-login.ts';

export interface AccountName {
  readonly userId: UserId;
}

/** The account of a user, also while there is none; 404 for an unknown user. */
export async function getAccount({ userId }: AccountName): Promise<AccountView> {
  const [item, copy] = await readItems([userKey(userId), accountCopyKey(userId)]);
  const user = requireUser(userOf(item));
  return accountView(user, accountCopyOf(copy), await readFromPool(userId));
}

const poolMilliseconds = 3_000;

/** What the pool knows is information only: without an answer it is left out. */
async function readFromPool(userId: UserId): Promise<PoolAccount | undefined> {
  const pool = loginPoolOrNone();
  if (pool === undefined) return undefined;
  try {
    return await runWithin(poolMilliseconds, () => readAccount(pool, userId));
  } catch (error) {
    log.warn('The pool did not answer', { error });
    return undefined;
  }
}

function accountView(user: User, copy: AccountCopy | undefined, found: PoolAccount | undefined): AccountView {
  const account = accountOf(user);
  return {
    userId: user.userId,
    state: stateOf(user, account, found),
    invitedAt: account?.invitedAt ?? null,
    signedOutAt: account?.signedOutAt ?? null,
    mfa: found?.mfa ?? [],
    provider: found === undefined ? null : (identitiesOf(found)[0]?.providerName ?? null),
    issuer: issuerOf(),
    error: account === undefined ? null : (missingLogin() ?? missingAddress(user) ?? copy?.error ?? null),
  };
}

function missingAddress({ email }: User): string | undefined {
  return email === null ? 'The user has no e-mail address to which an invitation can be sent.' : undefined;
}

function stateOf(user: User, account: Account | undefined, found: PoolAccount | undefined): AccountView['state'] {
  if (account === undefined) return 'none';
  if (user.status === 'inactive') return 'disabled';
  if (found === undefined) return 'pending';
  return found.status === invitedStatus && identitiesOf(found).length === 0 ? 'invited' : 'confirmed';
}

/** Gives a user an account, for which an invitation is sent by e-mail, as soon as the user has an address; again if there is one already. */
export async function inviteUser({ userId }: AccountName, context: RequestContext): Promise<Changed<AccountView>> {
  return changeAccount({ userId }, context, 'user.invited', (user) => {
    return { signedOutAt: null, ...accountOf(user), invitedAt: now().toISOString() };
  });
}

/** Ends all sessions of a user, who can log in again unless blocked. */
export async function signOutUser({ userId }: AccountName, context: RequestContext): Promise<Changed<AccountView>> {
  return changeAccount({ userId }, context, 'user.signed.out', (user) => {
    const account = accountOf(user);
    return account && { ...account, signedOutAt: now().toISOString() };
  });
}

/** Removes the account of a user: no login, until the user is invited again. */
export async function deleteAccount({ userId }: AccountName, context: RequestContext): Promise<Deletion> {
  const { changed } = await changeAccount({ userId }, context, 'user.account.deleted', (user) =>
    accountOf(user) === undefined ? undefined : null,
  );
  return { changed, complete: true };
}

type StoredAccount = Pick<AccountView, 'state' | 'invitedAt' | 'signedOutAt'> & { readonly changed: boolean };

/** The one way to change an account, as part of its user; `decide` returns undefined to change nothing, `null` to delete it. */
async function changeAccount(
  { userId }: AccountName,
  context: RequestContext,
  action: ChangeAction,
  decide: (user: User) => Account | null | undefined,
): Promise<Changed<AccountView>> {
  return performWrite<Changed<AccountView>, StoredAccount>(context, {
    decide: async (key) => {
      const read = await readExistingUser(userId);
      const next = decide(read);
      if (next === undefined || isSame(next, accountOf(read)))
        return { answer: { ...accountView(read, undefined, undefined), changed: false } };
      const { user, entries } = changeUserEntries(read, [changeTo(read, next, action)], { context, key });
      return { answer: { ...accountView(user, undefined, undefined), changed: true }, entries };
    },
    toStored: ({ state, invitedAt, signedOutAt, changed }) => ({ state, invitedAt, signedOutAt, changed }),
    fromStored: (stored) => ({ userId, mfa: [], provider: null, issuer: issuerOf(), error: null, ...stored }),
  });
}

/** Two invitations at the same time are one. */
function isSame(one: Account | null, other: Account | undefined): boolean {
  return JSON.stringify(recordedAccount(one ?? undefined)) === JSON.stringify(recordedAccount(other));
}

function changeTo(user: User, next: Account | null, action: ChangeAction): UserChange {
  const [before, after] = [recordedAccount(accountOf(user)), recordedAccount(next ?? undefined)];
  return { action, before, after, next: { account: { ...next } } };
}
