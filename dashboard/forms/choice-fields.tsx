import FormField from '@cloudscape-design/components/form-field';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApplicationView } from '#shared/contract/application.ts';
import { readAll } from '#shared/contract/read-all.ts';
import type { RoleView } from '#shared/contract/role.ts';
import { toProblem } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { useApi } from '../session/dashboard-context.ts';

export interface ChoiceProps {
  /** The kind of options, such as `applications`. */
  readonly noun: string;
  readonly options: readonly SelectProps.Option[];
  /** `''` for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown while nothing is chosen. Default: the label of the first option. */
  readonly placeholder?: string;
  readonly list: Pick<UseQueryResult, 'isFetching' | 'error'>;
}

/** A choice from a list that is loaded as a whole. */
export function Choice({ noun, options, value, onChange, placeholder, list }: ChoiceProps) {
  // A value that is not in the list, such as a deleted application, is shown by its ID.
  const other = value === '' ? null : { value, label: value };
  return (
    <Select
      selectedOption={options.find((option) => option.value === value) ?? other}
      options={options}
      {...(placeholder !== undefined && { placeholder })}
      statusType={list.isFetching ? 'loading' : 'finished'}
      loadingText={`Loading ${noun}…`}
      empty={`No ${noun} yet`}
      filteringType={options.length > 10 ? 'auto' : 'none'}
      filteringAriaLabel={`Filter ${noun}`}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  );
}

export interface ChoiceFieldProps extends ChoiceProps {
  readonly label: string;
  readonly description?: ReactNode;
}

/** The same as a field with a label. */
export function ChoiceField({ label, description, ...choice }: ChoiceFieldProps) {
  return (
    <FormField
      label={label}
      description={description}
      errorText={choice.list.error && toProblem(choice.list.error).message}
    >
      <Choice {...choice} />
    </FormField>
  );
}

export function optionOfApplication({ appId, name }: ApplicationView): SelectProps.Option {
  return { value: appId, label: name, ...(name !== appId && { description: appId }) };
}

export interface RoleFieldProps {
  readonly appId: string;
  readonly role: string;
  readonly onChange: (role: string) => void;
  /** Shown if the application has no roles. */
  readonly emptyHint?: ReactNode;
}

/** A choice from the roles of an application, without a label. */
export function RoleChoice({ appId, role, onChange }: RoleFieldProps) {
  const list = useAllRoles(appId);
  return <Choice {...roleChoice(list)} value={role} onChange={onChange} />;
}

/** The same as a field with a label. */
export function RoleField({ appId, role, onChange, emptyHint }: RoleFieldProps) {
  const list = useAllRoles(appId);
  return (
    <ChoiceField
      {...roleChoice(list)}
      label="Role"
      value={role}
      description={list.data?.length === 0 ? emptyHint : undefined}
      onChange={onChange}
    />
  );
}

function roleChoice(list: UseQueryResult<readonly RoleView[]>) {
  return { noun: 'roles', placeholder: 'Choose a role', options: (list.data ?? []).map(optionOfRole), list };
}

/** All roles of an application; none while no application is chosen. */
function useAllRoles(appId: string): UseQueryResult<readonly RoleView[]> {
  const api = useApi();
  return useQuery({
    enabled: appId !== '',
    queryKey: [...queryKeys.applicationRoles(appId), 'all'],
    queryFn: ({ signal }) =>
      readAll((cursor) => api('list-roles', { path: { appId }, query: { limit: '100', cursor }, signal })),
  });
}

function optionOfRole({ role, description }: RoleView): SelectProps.Option {
  return { value: role, label: role, ...(description !== null && { description }) };
}
