import Autosuggest from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';
import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TokenGroup from '@cloudscape-design/components/token-group';
import { useEffect, useState } from 'react';
import type { ChangeAction } from '#shared/contract/change.ts';
import { changeActions } from '#shared/contract/change-actions.ts';
import { actionLabels } from '#shared/contract/change-words.ts';
import { isUserId } from '#shared/contract/fields.ts';
import { ChoiceField, optionOfApplication } from '../forms/choice-fields.tsx';
import { DayPicker } from '../forms/day-picker.tsx';
import { SearchInput } from '../forms/search-input.tsx';
import { useAllApplications } from '../forms/use-all-applications.ts';
import { useChosenText, useKeptText } from '../users/use-debounced.ts';
import { useSuggestedUsers } from '../users/use-suggested-users.ts';
import { nameUser } from '../words.ts';
import { type HistoryFilterState, type TimeRange, timeRanges } from './history-filter.ts';

const rangeLabels: Readonly<Record<TimeRange, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  month: 'This month',
  '30d': 'Last 30 days',
  all: 'All history',
  custom: 'Custom range',
  change: 'One change',
};
const allRangeOptions = timeRanges.map((value) => ({ value, label: rangeLabels[value] }));
const groups: readonly [label: string, prefixes: readonly string[]][] = [
  ['Access', ['access.', 'user.status.', 'role.assigned', 'role.revoked']],
  ['Users', ['user.']],
  ['Applications and roles', ['application.', 'role.']],
  ['API keys', ['key.']],
];

/** Each action once, in the first group that matches it. */
const actionOptions: MultiselectProps.OptionGroup[] = groups.map(([label, prefixes], at) => ({
  label,
  options: changeActions
    .filter((action) => groupOf(action) === at && prefixes.some((prefix) => action.startsWith(prefix)))
    .map((value) => ({ value, label: actionLabels[value] })),
}));

function groupOf(action: ChangeAction): number {
  return groups.findIndex(([, prefixes]) => prefixes.some((prefix) => action.startsWith(prefix)));
}

/** The filters of the history: time, action, caller, application and user. */
export function HistoryFilterFields({ filter, change }: Pick<HistoryFilterState, 'filter' | 'change'>) {
  const [by, typeBy] = useKeptText(filter.by, (text) => change({ by: text }));
  // A link to a change chooses it.
  const rangeOptions = allRangeOptions.filter(({ value }) => value !== 'change' || filter.range === 'change');
  return (
    <SpaceBetween size="xs">
      <div className="filters">
        <FormField label="Time">
          <Select
            selectedOption={rangeOptions.find(({ value }) => value === filter.range) ?? null}
            options={rangeOptions}
            onChange={({ detail }) =>
              change({ range: detail.selectedOption.value ?? '', from: '', to: '', change: '' })
            }
          />
        </FormField>
        {filter.range === 'custom' && (
          <FormField label="From">
            <DayPicker day={filter.from} onChange={(from) => change({ from })} />
          </FormField>
        )}
        {filter.range === 'custom' && (
          <FormField label="To">
            <DayPicker day={filter.to} onChange={(to) => change({ to })} />
          </FormField>
        )}
        <FormField label="Action">
          <Multiselect
            selectedOptions={filter.actions.map((value) => ({ value, label: actionLabels[value as ChangeAction] }))}
            options={actionOptions}
            placeholder="Any action"
            hideTokens
            onChange={({ detail }) => change({ action: detail.selectedOptions.map(({ value }) => value).join(',') })}
          />
        </FormField>
        <FormField label="Changed by">
          <SearchInput value={by} placeholder="E-mail, application or ID" onChange={typeBy} />
        </FormField>
        <ApplicationField app={filter.app} onChange={(app) => change({ app })} />
        <UserField user={filter.user} onChange={(user) => change({ user })} />
      </div>
      <Chips filter={filter} change={change} />
    </SpaceBetween>
  );
}

/** What the history is filtered by, besides the time; each can be removed alone. */
function Chips({ filter, change }: Pick<HistoryFilterState, 'filter' | 'change'>) {
  const { data: applications = [] } = useAllApplications();
  const without = (action: string) => filter.actions.filter((one) => one !== action).join(',');
  const chips = [
    ...filter.actions.map((action) => ({
      label: actionLabels[action as ChangeAction],
      remove: { action: without(action) },
    })),
    { label: filter.by && `By ${filter.by}`, remove: { by: '' } },
    { label: applications.find(({ appId }) => appId === filter.app)?.name ?? filter.app, remove: { app: '' } },
    { label: filter.user, remove: { user: '' } },
  ].filter(({ label }) => label !== '');
  if (chips.length === 0) return null;
  return (
    <TokenGroup
      items={chips.map(({ label }) => ({ label, dismissLabel: `Remove ${label}` }))}
      onDismiss={({ detail }) => change(chips[detail.itemIndex]?.remove ?? {})}
    />
  );
}

/** Finds a user by name, e-mail address or ID. What is typed filters only once it is chosen, and until then nothing does. */
function UserField({ user, onChange }: { readonly user: string; readonly onChange: (user: string) => void }) {
  const { text, setText, keep } = useChosenText(user, onChange);
  const [isTyping, setTyping] = useState(false);
  const [entered, setEntered] = useState<string>();
  const wanted = text.trim();
  const { users, ...status } = useSuggestedUsers(isTyping ? wanted : '');
  const isFound = status.statusType !== 'loading';
  useEffect(() => {
    if (entered === undefined || !isFound) return;
    setEntered(undefined);
    setTyping(false);
    const named = users.find(({ userId, email }) => [userId, email].includes(entered))?.userId ?? entered;
    if (isUserId(named)) keep(named);
  });
  const isUnknown = isTyping && wanted !== '' && !isUserId(wanted) && isFound && users.length === 0;
  return (
    <FormField label="User" errorText={isUnknown && 'No users match. Enter a name, an e-mail or a complete user ID.'}>
      <Autosuggest
        {...status}
        value={text}
        options={users.map((one) => ({ value: one.userId, label: nameUser(one), description: one.email ?? '' }))}
        filteringType="manual"
        placeholder="Name, e-mail or user ID"
        clearAriaLabel="Clear"
        enteredTextLabel={(typed) => `User ID “${typed}”`}
        onChange={({ detail }) => {
          setTyping(true);
          setText(detail.value);
          if (user !== '') keep('', detail.value);
        }}
        onSelect={({ detail }) => setEntered(detail.value.trim())}
      />
    </FormField>
  );
}

const anyApplication = { value: '', label: 'Any application' };

function ApplicationField({ app, onChange }: { readonly app: string; readonly onChange: (app: string) => void }) {
  const list = useAllApplications();
  return (
    <ChoiceField
      label="Application"
      noun="applications"
      options={[anyApplication, ...(list.data ?? []).map(optionOfApplication)]}
      value={app}
      list={list}
      onChange={onChange}
    />
  );
}
