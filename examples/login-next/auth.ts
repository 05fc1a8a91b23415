import NextAuth from 'next-auth';
import { authConfig } from './auth-config.ts';

declare module 'next-auth' {
  /** What `auth-config.ts` puts into it. */
  interface Session {
    readonly login?: { readonly user_id: string; readonly roles: readonly string[] };
    readonly error?: 'no access' | 'unavailable';
  }
}

export const { handlers, auth, signIn, signOut } = NextAuth(authConfig);
