import Autosuggest, { type AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { foldLetters } from '#shared/contract/fold-letters.ts';
import type { UserView } from '#shared/contract/user.ts';
import { useAllApplications } from '../forms/use-all-applications.ts';
import { useSuggestedUsers } from '../users/use-suggested-users.ts';
import { userStatusLabels } from '../words.ts';
import { applicationPath, userPath } from './route-link.tsx';
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
  const options = q === '' ? [] : suggestApplications(applications.data ?? [], q);
  options.push(...users.map(userOption));
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

/** More would hide the users below them. */
const maxSuggested = 3;

/** Tabs to open directly; the page itself starts with the API keys. */
const sections = [
  { tab: 'roles', label: 'Roles' },
  { tab: 'users', label: 'Users' },
  { tab: 'history', label: 'History' },
] as const;

/**
 * Applications whose ID or a word of whose name begins with the typed text, ignoring case and accents; for a single match also
 * its tabs. The value of an option is its path.
 */
function suggestApplications(all: readonly ApplicationView[], typed: string): AutosuggestProps.Option[] {
  const text = fold(typed);
  if (text === '') return [];
  const found = all.filter(({ appId, name }) => appId.startsWith(text) || ` ${fold(name)}`.includes(` ${text}`));
  const exact = found.filter(({ appId, name }) => appId === text || fold(name) === text);
  const shown = exact.length === 1 ? exact : found;
  if (shown.length !== 1) return found.slice(0, maxSuggested).map((application) => applicationOption(application));
  return shown.flatMap((application) => [
    applicationOption(application),
    ...sections.map((section) => applicationOption(application, section)),
  ]);
}

function applicationOption(
  { appId, name }: ApplicationView,
  section?: (typeof sections)[number],
): AutosuggestProps.Option {
  const path = applicationPath(appId);
  if (section !== undefined) return { value: `${path}?tab=${section.tab}`, label: `${section.label} of ${name}` };
  return { value: path, label: name, labelTag: 'Application', ...(name !== appId && { tags: [appId] }) };
}

function fold(text: string): string {
  return foldLetters(text).trim().replace(/\s+/g, ' ');
}
