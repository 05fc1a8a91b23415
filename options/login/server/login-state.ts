import type { KeptOfUser } from '#shared/domain/request/kept-of-user.ts';
import { accountOf } from '../table/login-account-item.ts';
import { recordedAccount } from './recorded-login.ts';
import { loginRepair } from './repair-login.ts';

const ofUser: KeptOfUser = {
  actions: ['user.invited', 'user.signed.out', 'user.account.deleted'],
  attributesAfter: (_, { action, after }) => {
    if (action === 'user.account.deleted') return { account: {} };
    const { invitedAt = null, signedOutAt = null } = after ?? {};
    return { account: { invitedAt, signedOutAt } };
  },
  recordedOf: (user) => recordedAccount(accountOf(user)),
  restoredBy: (state) => (state.invitedAt === null ? 'user.account.deleted' : 'user.invited'),
};

/** The account of a user is kept with the user, and repaired from the user's Changes; the provider's is compared with it. */
export const loginState = { ofUser, repair: loginRepair } as const;
