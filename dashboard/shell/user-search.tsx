import Autosuggest from '@cloudscape-design/components/autosuggest';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserView } from '#shared/contract/user.ts';
import { useAllApplications } from '../forms/use-all-applications.ts';
import { useSuggestedUsers } from '../users/use-suggested-users.ts';
import { userStatusLabels } from '../words.ts';
import { userPath } from './page-paths.ts';
import { searchLabel } from './search-shortcut.ts';

/** Applications that were read more recently, such as for the page, are not read again. */
const listMilliseconds = 30_000;

/** Finds a user or an application from every page: a suggestion opens its page, Enter the list of all matching users. */
export function UserSearch({ hint }: { readonly hint: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const q = typed.trim();
  const { users, ...status } = useSuggestedUsers(q);
  const applications = useAllApplications({ enabled: q !== '', staleTime: listMilliseconds });
  const { data: pages } = useQuery({
    enabled: q !== '',
    queryKey: ['suggest'],
    queryFn: () => import('./suggest-pages.ts'),
  });
  const options = q === '' || pages === undefined ? [] : pages.suggestApplications(applications.data ?? [], q);
  options.push(...users.map(userOption), ...(pages?.suggestRole(q) ?? []));
  const isUnknown = q !== '' && status.statusType === 'finished' && users.length === 0;
  return (
    <Autosuggest
      {...status}
      value={typed}
      options={options}
      filteringType="manual"
      ariaLabel={searchLabel}
      placeholder={`${searchLabel}${hint}`}
      clearAriaLabel="Clear the search"
      enteredTextLabel={(text) => `All users matching “${text}”`}
      empty={q === '' ? "Enter a user's name, e-mail or user ID, or an application's name or ID." : undefined}
      filteringResultsText={() => (isUnknown ? `No users match “${q}”` : '')}
      onChange={({ detail }) => setTyped(detail.value)}
      onSelect={({ detail: { value, selectedOption } }) => {
        setTyped('');
        if (selectedOption !== undefined) navigate(value);
        else if (value.trim() !== '') navigate(`/users?${new URLSearchParams({ q: value.trim() })}`);
      }}
    />
  );
}

function userOption({ userId, displayName, email, status }: UserView) {
  return {
    value: userPath(userId),
    label: displayName ?? userId,
    labelTag: userStatusLabels[status],
    tags: [...(email === null ? [] : [email]), userId],
  };
}
