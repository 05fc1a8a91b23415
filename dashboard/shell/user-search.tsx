import Autosuggest from '@cloudscape-design/components/autosuggest';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserView } from '#shared/contract/user.ts';
import { queryKeys } from '../api/queries.ts';
import { loadFilled } from '../api/use-pages.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useDebounced } from '../users/use-debounced.ts';
import { userPath } from './route-link.tsx';
import { searchLabel } from './search-shortcut.ts';

/** So many users are suggested; the page of users has them all. */
const suggested = '10';

/** Finds a user from every page: a suggestion leads to the user's page, what was typed to the list of all who match. */
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
  const isWaiting = q !== '' && (isFetching || asked !== q);
  return (
    <Autosuggest
      value={typed}
      options={q === '' || data === undefined ? [] : data.items.map(optionOf)}
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
      empty={q === '' ? 'By name, e-mail address or id' : undefined}
      filteringResultsText={() => (data?.items.length === 0 ? `Nobody found for “${q}”` : '')}
      onChange={({ detail }) => setTyped(detail.value)}
      onSelect={({ detail: { value, selectedOption } }) => {
        setTyped('');
        if (selectedOption !== undefined) navigate(userPath(value));
        else if (value.trim() !== '') navigate(`/users?${new URLSearchParams({ q: value.trim() })}`);
      }}
    />
  );
}

function optionOf({ userId, displayName, email, status }: UserView) {
  return {
    value: userId,
    label: displayName ?? userId,
    labelTag: status === 'active' ? 'Active' : 'Inactive',
    tags: [...(email === null ? [] : [email]), userId],
  };
}
