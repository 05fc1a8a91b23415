import { useEffect, useMemo, useState } from 'react';
import {
  findRolesAnywhere,
  type RoleHolder,
  type RoleProgress,
  type RoleReader,
} from '#client/management/roles-anywhere.ts';
import type { RoleView } from '#shared/contract/role.ts';
import type { Api } from '../api/create-api.ts';
import { useApi } from '../session/dashboard-context.ts';

export interface RolesAnywhere {
  readonly roles: readonly RoleView[];
  /** Those of the role that is asked for. */
  readonly holders: readonly RoleHolder[];
  readonly progress: RoleProgress | undefined;
  readonly state: 'running' | 'ended' | 'stopped' | 'failed';
  /** Whether there are more than are read. */
  readonly isCut: boolean;
  readonly error: Error | null;
}

const start: RolesAnywhere = {
  roles: [],
  holders: [],
  progress: undefined,
  state: 'running',
  isCut: false,
  error: null,
};

/** The roles of all applications and the holders of one, as they are found; leaving the page stops it. */
export function useRolesAnywhere(role?: string): RolesAnywhere & { stop(): void; again(): void } {
  const api = useApi();
  const [attempt, setAttempt] = useState(0);
  const [found, setFound] = useState(start);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt has its own
  const control = useMemo(() => new AbortController(), [role, attempt]);
  useEffect(() => {
    const { signal } = control;
    const change = (next: Partial<RolesAnywhere>) => {
      if (!signal.aborted) setFound((before) => ({ ...before, ...next }));
    };
    setFound(start);
    findRolesAnywhere(readerOf(api, signal), {
      ...(role !== undefined && { role }),
      isStopped: () => signal.aborted,
      onProgress: (progress, more) => {
        if (signal.aborted) return;
        setFound((before) => ({
          ...before,
          progress,
          roles: [...before.roles, ...(more?.roles ?? [])],
          holders: [...before.holders, ...(more?.holders ?? [])],
        }));
      },
    }).then(
      ({ isCut }) => change({ state: 'ended', isCut }),
      (error: Error) => change({ state: 'failed', error }),
    );
    return () => control.abort();
  }, [api, role, control]);
  return {
    ...found,
    stop: () => {
      control.abort();
      setFound((before) => ({ ...before, state: 'stopped' }));
    },
    again: () => setAttempt(attempt + 1),
  };
}

function readerOf(api: Api, signal: AbortSignal): RoleReader {
  const limit = '100';
  return {
    listApplications: (cursor) => api('list-applications', { query: { limit, cursor }, signal }),
    listRoles: (appId, cursor) => api('list-roles', { path: { appId }, query: { limit, cursor }, signal }),
    listMembers: (appId, role, cursor) =>
      api('list-members', { path: { appId, role }, query: { limit, cursor }, signal }),
  };
}
