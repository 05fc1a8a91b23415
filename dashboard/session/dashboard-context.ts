import { createContext, useContext, useState, useSyncExternalStore } from 'react';
import type { Api, ReadName } from '../api/create-api.ts';
import { createSequenceWriter, createWriter, type Writer } from '../api/create-writer.ts';
import type { DashboardConfig } from './read-config.ts';
import type { SentChanges } from './sent-changes.ts';
import type { Session, SessionState } from './start-session.ts';

/** Dependencies of every page, created once at the start. */
export interface DashboardContext {
  readonly config: DashboardConfig;
  readonly session: Session;
  /** The client of the Management API for the logged-in operator. */
  readonly api: Api;
  /** The changes that are being saved. */
  readonly sent: SentChanges;
}

export const DashboardContext = createContext<DashboardContext | undefined>(undefined);

/** Reads from the Management API. */
export function useApi(): Api<ReadName> {
  return useDashboard().api;
}

/** Writes to the Management API, for one form or switch while it is on the screen. */
export function useWriter(): Writer {
  const { api } = useDashboard();
  const [writer] = useState(() => createWriter(api));
  return writer;
}

/** Writes to the Management API, for a form whose action takes several requests. */
export function useSequenceWriter(): Writer {
  const { api } = useDashboard();
  const [writer] = useState(() => createSequenceWriter(api));
  return writer;
}

/** Creates writers, one for each of several concurrent writes. */
export function useNewWriter(): () => Writer {
  const { api } = useDashboard();
  return () => createWriter(api);
}

export function useConfig(): DashboardConfig {
  return useDashboard().config;
}

/** The session and its current state. */
export function useSession(): { readonly session: Session; readonly state: SessionState } {
  const { session } = useDashboard();
  return { session, state: useSyncExternalStore(session.subscribe, session.state) };
}

/** Notes what a session that has ended leaves unsent; does nothing while the session lasts. */
export function useNoteUnsent(): (words: string) => void {
  const { sent } = useDashboard();
  return (words) => sent.begin(words)('unsent');
}

function useDashboard(): DashboardContext {
  const context = useContext(DashboardContext);
  if (context === undefined) throw new Error('The DashboardContext is missing around this component');
  return context;
}
