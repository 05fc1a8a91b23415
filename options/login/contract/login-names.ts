import { loginChangeKinds } from './login-change-kinds.ts';

/** The Changes of logins and accounts, and what a repair can find to be wrong with one. */
export const loginNames = {
  changes: loginChangeKinds,
  findings: ['login-client', 'login-account'],
} as const;
