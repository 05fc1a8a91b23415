import ColumnLayout from '@cloudscape-design/components/column-layout';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect';
import Select from '@cloudscape-design/components/select';
import { type ChangeAction, changeActions } from '#shared/contract/change.ts';
import { isUserId } from '#shared/contract/fields.ts';
import { ChoiceField, optionOfApplication, useAllApplications } from '../forms/choice-fields.tsx';
import { useKeptText } from '../users/use-debounced.ts';
import { actionLabels } from './describe-change.ts';
import { type HistoryFilterState, type TimeRange, timeRanges } from './history-filter.ts';

const rangeLabels: Readonly<Record<TimeRange, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  all: 'All that is kept',
  custom: 'Between two days',
};
const rangeOptions = timeRanges.map((value) => ({ value, label: rangeLabels[value] }));
const groups: readonly [label: string, prefixes: readonly string[]][] = [
  ['Access', ['access.', 'user.status.', 'role.assigned', 'role.revoked']],
  ['Users', ['user.']],
  ['Applications and roles', ['application.', 'role.']],
  ['API keys', ['key.']],
];

/** Each action once, in the first group that takes it. */
const actionOptions: MultiselectProps.OptionGroup[] = groups.map(([label, prefixes], at) => ({
  label,
  options: changeActions
    .filter((action) => groupOf(action) === at && prefixes.some((prefix) => action.startsWith(prefix)))
    .map((value) => ({ value, label: actionLabels[value] })),
}));

function groupOf(action: ChangeAction): number {
  return groups.findIndex(([, prefixes]) => prefixes.some((prefix) => action.startsWith(prefix)));
}

/** The filters of the history: when, what, by whom, in which application, of which user. */
export function HistoryFilterFields({ filter, change }: Pick<HistoryFilterState, 'filter' | 'change'>) {
  const [by, typeBy] = useKeptText(filter.by, (text) => change({ by: text }));
  // What cannot be an id stays in the field and filters nothing.
  const [user, typeUser] = useKeptText(
    filter.user,
    (text) => (text === '' || isUserId(text)) && change({ user: text }),
  );
  return (
    <ColumnLayout columns={3} minColumnWidth={220}>
      <FormField label="Time">
        <Select
          selectedOption={rangeOptions.find(({ value }) => value === filter.range) ?? null}
          options={rangeOptions}
          onChange={({ detail }) => change({ range: detail.selectedOption.value ?? '', from: '', to: '' })}
        />
      </FormField>
      {filter.range === 'custom' && <DayField label="From" day={filter.from} onChange={(from) => change({ from })} />}
      {filter.range === 'custom' && <DayField label="To" day={filter.to} onChange={(to) => change({ to })} />}
      <FormField label="Action">
        <Multiselect
          selectedOptions={filter.actions.map((value) => ({ value, label: actionLabels[value as ChangeAction] }))}
          options={actionOptions}
          placeholder="Any action"
          deselectAriaLabel={({ label }) => `Remove ${label}`}
          onChange={({ detail }) => change({ action: detail.selectedOptions.map(({ value }) => value).join(',') })}
        />
      </FormField>
      <TextField label="By" value={by} placeholder="E-mail address, name or id" onChange={typeBy} />
      <ApplicationField app={filter.app} onChange={(app) => change({ app })} />
      <TextField
        label="User"
        value={user}
        placeholder="The whole id"
        mistake={user.trim() !== '' && !isUserId(user.trim()) && 'This cannot be the id of a user.'}
        onChange={typeUser}
      />
    </ColumnLayout>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly mistake?: string | false;
  readonly onChange: (text: string) => void;
}

function TextField({ label, value, placeholder, mistake, onChange }: TextFieldProps) {
  return (
    <FormField label={label} errorText={mistake}>
      <Input
        type="search"
        value={value}
        placeholder={placeholder}
        clearAriaLabel="Clear"
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}

interface DayFieldProps {
  readonly label: string;
  /** `YYYY-MM-DD`, or nothing. */
  readonly day: string;
  readonly onChange: (day: string) => void;
}

function DayField({ label, day, onChange }: DayFieldProps) {
  return (
    <FormField label={label}>
      <DatePicker
        value={day}
        placeholder="YYYY/MM/DD"
        openCalendarAriaLabel={(chosen) => (chosen ? `Choose a date, selected: ${chosen}` : 'Choose a date')}
        previousMonthAriaLabel="Previous month"
        nextMonthAriaLabel="Next month"
        todayAriaLabel="Today"
        onChange={({ detail }) => onChange(detail.value)}
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
