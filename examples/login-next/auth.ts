import NextAuth from 'next-auth';
import { authConfig, keep } from './auth-config.ts';

declare module 'next-auth' {
  /** What `auth-config.ts` puts into it. */
  interface Session {
    readonly login?: { readonly user_id: string; readonly roles: readonly string[] };
    readonly error?: 'no access' | 'unavailable';
  }
}

/** For pages and routes: only the proxy refreshes. */
export const { handlers, auth, signIn, signOut } = NextAuth({
  ...authConfig,
  callbacks: { ...authConfig.callbacks, jwt: ({ token, account }) => (account ? keep(account) : token) },
});
