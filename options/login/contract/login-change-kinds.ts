import type { ChangeKinds } from '#shared/contract/described-changes.ts';

/** The Changes of an application's login, which its feed has, and those of people's accounts, which only operators read. */
export const loginChangeKinds = {
  actions: {
    'login.changed': 'Login changed',
    'login.deleted': 'Login deleted',
    'login.secret.added': 'Login secret added',
  },
  operatorActions: {
    'user.invited': 'User invited',
    'user.signed.out': 'User signed out everywhere',
    'user.account.deleted': 'Account deleted',
  },
  stateIn: ({ login, account }) => ({ ...textsOf(Object(login)), ...Object(account) }),
  labels: {
    clientType: 'Client',
    redirectUris: 'Redirect addresses',
    logoutUris: 'Logout addresses',
    secretAddedAt: 'Last secret added',
    invitedAt: 'Invited',
    signedOutAt: 'Signed out',
  },
  harmless: ['clientType', 'redirectUris', 'logoutUris', 'secretAddedAt', 'invitedAt', 'signedOutAt'],
  personal: [],
  describe: {
    redirectUris: (value) => (value === null || value === '' ? 'none' : String(value)),
    logoutUris: (value) => (value === null || value === '' ? 'none' : String(value)),
  },
} as const satisfies ChangeKinds;

/** A list in a Change is a text, with spaces. */
function textsOf(login: Readonly<Record<string, unknown>>) {
  const recorded = ['clientType', 'redirectUris', 'logoutUris', 'secretAddedAt'];
  return Object.fromEntries(
    recorded.flatMap((name) => {
      const value = login[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(' ') : value]];
    }),
  );
}
