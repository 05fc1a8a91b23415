import type { Bearer } from '../api/create-api.ts';

/** Who is logged in; or why nobody is. */
export type SessionState =
  | { readonly kind: 'in'; readonly name: string }
  | { readonly kind: 'out'; readonly why: 'new' | 'expired' | 'failed' };

/** The login of one operator in one tab. */
export interface Session extends Bearer {
  state(): SessionState;
  /** Answers how to stop listening. */
  subscribe(listener: () => void): () => void;
  /** Leaves for the provider, and comes back to where the operator is now. */
  logIn(): Promise<void>;
  logOut(): Promise<void>;
}
