import { useCallback } from 'react';
import type { Access } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { type Loaded, useLoaded } from '../api/use-loaded.ts';

/** All applications with what holds for the user in each. */
export interface UserAccesses extends Loaded<readonly UserAccessView[]> {
  /** Puts in what a write answered. */
  put(access: Access): void;
}

/** Reads every page, because the operator has to see every application. */
export function useUserAccess(userId: string): UserAccesses {
  const api = useApi();
  const loaded = useLoaded(
    useCallback(
      async (signal) => {
        const all: UserAccessView[] = [];
        let cursor: string | null | undefined;
        do {
          const page = await api('list-user-access', {
            path: { userId },
            query: { limit: '100', cursor: cursor ?? undefined },
            signal,
          });
          all.push(...page.items);
          cursor = page.cursor;
        } while (cursor !== null);
        return all;
      },
      [api, userId],
    ),
  );
  const { replace } = loaded;
  const put = useCallback(
    (access: Access) => replace((all) => all.map((one) => (one.appId === access.appId ? { ...one, ...access } : one))),
    [replace],
  );
  return { ...loaded, put };
}
