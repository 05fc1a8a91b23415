import { useQuery } from '@tanstack/react-query';
import { readEach } from '#shared/contract/read-all.ts';
import { RolloutTally } from '#shared/contract/rollout-tally.ts';
import { useApi } from '../session/dashboard-context.ts';

export interface TallyOptions {
  /** Whether the users are counted at once, unless they were counted before. Otherwise on request. */
  readonly isNeeded: boolean;
}

/** Reads all users and those with a setting, concurrently; leaving the tab stops it. */
export function useRolloutTally(appId: string, { isNeeded }: TallyOptions) {
  const api = useApi();
  return useQuery({
    queryKey: ['rollout-tally', appId],
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const tally = new RolloutTally(appId);
      const limit = '100';
      await Promise.all([
        readEach(
          (cursor) => api('list-users', { query: { status: 'active', limit, cursor }, signal }),
          ({ userId }) => tally.add(userId),
        ),
        readEach(
          (cursor) => api('list-application-users', { path: { appId }, query: { limit, cursor }, signal }),
          ({ explicit, userStatus, userId }) => explicit && userStatus === 'active' && tally.remove(userId),
        ),
      ]);
      return tally;
    },
  });
}
