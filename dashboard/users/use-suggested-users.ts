import type { AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import { useQuery } from '@tanstack/react-query';
import type { UserView } from '#shared/contract/user.ts';
import { queryKeys } from '../api/queries.ts';
import { loadFilled } from '../api/use-pages.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useDebounced } from './use-debounced.ts';

/** The most users that a field suggests; the users page lists them all. */
const limit = '10';

/** Users to suggest, and what an Autosuggest shows while they load or fail to. */
interface SuggestedUsers
  extends Pick<AutosuggestProps, 'statusType' | 'loadingText' | 'errorText' | 'recoveryText' | 'onLoadItems'> {
  readonly users: readonly UserView[];
}

/** Finds users by name, e-mail address or ID once typing pauses; none for an empty text. */
export function useSuggestedUsers(text: string): SuggestedUsers {
  const api = useApi();
  const q = useDebounced(text);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKeys.users, { suggestedFor: q }],
    queryFn: ({ signal }) =>
      loadFilled(
        (cursor, until) => api('list-users', { query: { q, limit, cursor }, signal: until }),
        undefined,
        signal,
      ),
    enabled: q !== '',
  });
  const isWaiting = text !== '' && (isFetching || q !== text);
  return {
    users: text === '' ? [] : (data?.items ?? []),
    statusType: isWaiting ? 'loading' : error ? 'error' : 'finished',
    loadingText: 'Searching…',
    errorText: 'The search failed.',
    recoveryText: 'Try again',
    onLoadItems: () => void (error && refetch()),
  };
}
