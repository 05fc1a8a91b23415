import type { OptionOperations } from '#shared/contract/operation.ts';
import * as login from './login.ts';

/** The operations for logins and accounts, by their names. */
export const loginOperations = {
  service: {},
  trials: {},
  manage: {
    'get-login': login.getLoginOperation,
    'set-login': login.setLoginOperation,
    'delete-login': login.deleteLoginOperation,
    'add-login-secret': login.addLoginSecretOperation,
    'get-account': login.getAccountOperation,
    'invite-user': login.inviteUserOperation,
    'sign-out-user': login.signOutUserOperation,
    'delete-account': login.deleteAccountOperation,
  },
} as const satisfies OptionOperations;
