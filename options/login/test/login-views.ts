import type { AccountView, LoginView } from '../contract/login.ts';

/** The login of an application whose client the provider has. */
export const exampleLogin: LoginView = {
  appId: 'billing',
  enabled: true,
  clientType: 'public',
  redirectUris: ['https://billing.example.com/callback'],
  logoutUris: [],
  clientId: 'client-1',
  issuer: 'https://login.example.com/pool',
  error: null,
};

/** The account of a person who has chosen a password and a second factor. */
export const exampleAccount: AccountView = {
  userId: 'ada',
  state: 'confirmed',
  invitedAt: '2026-11-20T09:00:00.000Z',
  signedOutAt: null,
  mfa: ['SOFTWARE_TOKEN_MFA'],
  provider: null,
  issuer: 'https://login.example.com/pool',
  error: null,
};
