import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { Page } from '#shared/contract/answers.ts';
import { queryKeys } from '../api/queries.ts';
import { ExpiryField } from '../forms/expiry-field.tsx';
import { ReasonField } from '../forms/reason-field.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { bulkActions, partsOf } from './bulk-actions.ts';
import type { Draft } from './use-setting.ts';

export interface ActionFieldsProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** Asks what is to be done, and only for what that takes. */
export function ActionFields({ draft, onChange }: ActionFieldsProps) {
  const { may } = useOperator();
  const parts = partsOf[draft.action];
  const items = bulkActions
    .filter(({ id, operation }) => partsOf[id].includes('app') || may(operation))
    .map(({ id, label }) => ({ value: id, label }));
  return (
    <SpaceBetween size="m">
      <FormField label="What to do">
        <RadioGroup
          value={draft.action}
          items={items}
          onChange={({ detail }) =>
            onChange({ action: items.find(({ value }) => value === detail.value)?.value ?? 'enable' })
          }
        />
      </FormField>
      {parts.includes('app') && <ApplicationField draft={draft} onChange={onChange} />}
      {parts.includes('role') && draft.appId !== '' && (
        <RoleField key={draft.appId} draft={draft} onChange={onChange} />
      )}
      {parts.includes('reason') && <ReasonField value={draft.reason} onChange={(reason) => onChange({ reason })} />}
      {parts.includes('end') && (
        <ExpiryField
          label={draft.action === 'assign' ? 'Revoke automatically' : 'Turn on again automatically'}
          pointer={draft.action === 'assign' ? '#/expiresAt' : '#/until'}
          expiry={draft.expiry}
          onChange={(expiry) => onChange({ expiry })}
        />
      )}
    </SpaceBetween>
  );
}

function ApplicationField({ draft, onChange }: ActionFieldsProps) {
  const api = useApi();
  const { may } = useOperator();
  const {
    data = [],
    isFetching,
    error,
  } = useQuery({
    queryKey: [...queryKeys.applications, 'all'],
    queryFn: ({ signal }) => readAll((cursor) => api('list-applications', { query: { limit: '100', cursor }, signal })),
  });
  const options = data
    .filter(({ appId }) => may('set-access-in-bulk', appId))
    .map(({ appId, name }) => ({ value: appId, label: name, ...(name !== appId && { description: appId }) }));
  return (
    <FormField label="Application" errorText={error?.message}>
      <Select
        selectedOption={options.find(({ value }) => value === draft.appId) ?? null}
        options={options}
        placeholder="Choose an application"
        statusType={isFetching ? 'loading' : 'finished'}
        loadingText="Loading applications…"
        empty="No applications"
        filteringType={options.length > 10 ? 'auto' : 'none'}
        onChange={({ detail }) => onChange({ appId: detail.selectedOption.value ?? '' })}
      />
    </FormField>
  );
}

function RoleField({ draft, onChange }: ActionFieldsProps) {
  const { appId, role } = draft;
  const api = useApi();
  const {
    data = [],
    isFetching,
    error,
  } = useQuery({
    queryKey: [...queryKeys.applicationRoles(appId), 'all'],
    queryFn: ({ signal }) =>
      readAll((cursor) => api('list-roles', { path: { appId }, query: { limit: '100', cursor }, signal })),
  });
  const options = data.map(({ role: name, description }) => ({
    value: name,
    label: name,
    ...(description !== null && { description }),
  }));
  return (
    <FormField label="Role" errorText={error?.message}>
      <Select
        selectedOption={options.find(({ value }) => value === role) ?? null}
        options={options}
        placeholder="Choose a role"
        statusType={isFetching ? 'loading' : 'finished'}
        loadingText="Loading roles…"
        empty="No roles"
        filteringType={options.length > 10 ? 'auto' : 'none'}
        onChange={({ detail }) => onChange({ role: detail.selectedOption.value ?? '' })}
      />
    </FormField>
  );
}

/** All pages of a list whose items are to choose from. */
async function readAll<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await load(cursor);
    items.push(...page.items);
    if (page.cursor === null) return items;
    cursor = page.cursor;
  }
}
