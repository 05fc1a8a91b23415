import Autosuggest from '@cloudscape-design/components/autosuggest';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserView } from '#shared/contract/user.ts';
import { useAllApplications } from '../forms/choice-fields.tsx';
import { useSuggestedUsers } from '../users/use-suggested-users.ts';
import { userStatusLabels } from '../words.ts';
import { userPath } from './route-link.tsx';
import { searchLabel } from './search-shortcut.ts';
import { suggestApplications } from './suggest-applications.ts';

/** Applications that were read more recently, such as for the page, are not read again. */
const listMilliseconds = 30_000;

/** Finds a user or an application from every page: a suggestion opens its page, Enter the list of all matching users. */
export function UserSearch({ hint }: { readonly hint: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const q = typed.trim();
  const { users, ...status } = useSuggestedUsers(q);
  const applications = useAllApplications({ enabled: q !== '', staleTime: listMilliseconds });
  const options = q === '' ? [] : suggestApplications(applications.data ?? [], q);
  options.push(...users.map(optionOf));
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

function optionOf({ userId, displayName, email, status }: UserView) {
  return {
    value: userPath(userId),
    label: displayName ?? userId,
    labelTag: userStatusLabels[status],
    tags: [...(email === null ? [] : [email]), userId],
  };
}
