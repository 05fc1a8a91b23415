import type { OptionCode } from '#test/simulation/option-code.ts';
import { forgetPaces } from '../../cognito/pace-calls.ts';
import { handler as decide } from '../../functions/pre-token-generation.ts';
import { handler as sync } from '../../functions/sync-login.ts';
import { deleteAccount, inviteUser, signOutUser } from '../../server/accounts.ts';
import { deleteLogin, setLogin } from '../../server/logins.ts';

/** Whether somebody got tokens. */
export interface TokenAnswer {
  readonly isGiven: boolean;
}

/** Cognito gives no tokens after an error, whatever it is. */
async function receiveToken({ event }: { readonly event: Parameters<typeof decide>[0] }): Promise<TokenAnswer> {
  return decide(event).then(
    () => ({ isGiven: true }),
    () => ({ isGiven: false }),
  );
}

/** The code of logins that processes run. */
export const code: OptionCode = {
  runs: {
    'set-login': setLogin,
    'delete-login': deleteLogin,
    'invite-user': inviteUser,
    'sign-out-user': signOutUser,
    'delete-account': deleteAccount,
  },
  actions: {
    'set-login': 'login.changed',
    'delete-login': 'login.deleted',
    'invite-user': 'user.invited',
    'sign-out-user': 'user.signed.out',
    'delete-account': 'user.account.deleted',
  },
  functions: { 'sync-login': sync },
  receivers: { 'decide-login': receiveToken },
  loads: { 'new pace': async () => forgetPaces() },
};
