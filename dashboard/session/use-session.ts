import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Session, SessionState } from './session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session, and its state now. */
export function useSession(): { readonly session: Session; readonly state: SessionState } {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionContext around it');
  return { session, state: useSyncExternalStore(session.subscribe, session.state) };
}
