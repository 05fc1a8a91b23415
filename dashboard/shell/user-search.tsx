import Autosuggest from '@cloudscape-design/components/autosuggest';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserView } from '#shared/contract/user.ts';
import { queryKeys } from '../api/queries.ts';
import { loadFilled } from '../api/use-pages.ts';
import { useAllApplications } from '../forms/choice-fields.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { useDebounced } from '../users/use-debounced.ts';
import { userPath } from './route-link.tsx';
import { searchLabel } from './search-shortcut.ts';
import { suggestApplications } from './suggest-applications.ts';

/** So many users are suggested; the page of users has them all. */
const suggested = '10';

/** Applications that were read so shortly before, as for the page, are not asked for again. */
const listMilliseconds = 30_000;

/**
 * Finds a user or an application from every page: a suggestion leads to its page, what was typed to the list of all users who
 * match.
 */
export function UserSearch({ hint }: { readonly hint: string }) {
  const navigate = useNavigate();
  const api = useApi();
  const [typed, setTyped] = useState('');
  const q = typed.trim();
  const asked = useDebounced(q);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKeys.users, { suggestedFor: asked }],
    queryFn: ({ signal }) =>
      loadFilled(
        (cursor, until) => api('list-users', { query: { q: asked, limit: suggested, cursor }, signal: until }),
        undefined,
        signal,
      ),
    enabled: asked !== '',
  });
  const applications = useAllApplications({ enabled: asked !== '', staleTime: listMilliseconds });
  const options = q === '' ? [] : suggestApplications(applications.data ?? [], q);
  if (q !== '' && data !== undefined) options.push(...data.items.map(optionOf));
  const isWaiting = q !== '' && (isFetching || asked !== q);
  return (
    <Autosuggest
      value={typed}
      options={options}
      filteringType="manual"
      ariaLabel={searchLabel}
      placeholder={`${searchLabel}${hint}`}
      clearAriaLabel="Clear the search"
      enteredTextLabel={(text) => `All users who match “${text}”`}
      statusType={isWaiting ? 'loading' : error ? 'error' : 'finished'}
      loadingText="Searching…"
      errorText="The search failed."
      recoveryText="Try again"
      onLoadItems={() => void (error && refetch())}
      empty={q === '' ? 'By name, e-mail address or id of a user, or name or id of an application' : undefined}
      filteringResultsText={() => (data?.items.length === 0 ? `Nobody found for “${q}”` : '')}
      onChange={({ detail }) => setTyped(detail.value)}
      onSelect={({ detail: { value, selectedOption } }) => {
        setTyped('');
        if (selectedOption !== undefined) navigate(value);
        else if (value.trim() !== '') navigate(`/users?${new URLSearchParams({ q: value.trim() })}`);
      }}
    />
  );
}

function optionOf({ userId, displayName, email, status }: UserView) {
  return {
    value: userPath(userId),
    label: displayName ?? userId,
    labelTag: status === 'active' ? 'Active' : 'Inactive',
    tags: [...(email === null ? [] : [email]), userId],
  };
}
