import type { RecordedState } from '#shared/contract/change.ts';
import type { Account } from '../table/login-account-item.ts';
import type { Login } from '../table/login-item.ts';

/** A login as its Changes record it; a list is a text, with spaces. */
export function recordedLogin(login: Login | undefined): RecordedState {
  if (login === undefined) return { clientType: null, redirectUris: null, logoutUris: null, secretAddedAt: null };
  const { clientType, redirectUris, logoutUris, secretAddedAt } = login;
  return { clientType, redirectUris: redirectUris.join(' '), logoutUris: logoutUris.join(' '), secretAddedAt };
}

/** An account as its Changes record it. */
export function recordedAccount(account: Account | undefined) {
  return { invitedAt: account?.invitedAt ?? null, signedOutAt: account?.signedOutAt ?? null };
}
