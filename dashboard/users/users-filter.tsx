import Grid from '@cloudscape-design/components/grid';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { useEffect, useState } from 'react';
import { type UserStatus, userStatuses } from '#shared/contract/access.ts';

export interface UsersFilterProps {
  readonly prefix: string;
  readonly onPrefix: (prefix: string) => void;
  /** Undefined means any status. */
  readonly status: UserStatus | undefined;
  readonly onStatus: (status: UserStatus | undefined) => void;
}

const anyStatus = { value: 'any', label: 'Any status' };
const options = [anyStatus, { value: 'active', label: 'Active' }, { value: 'inactive', label: 'Inactive' }];

/** Filters the list of users by id prefix and status. */
export function UsersFilter({ prefix, onPrefix, status, onStatus }: UsersFilterProps) {
  const selected = options.find(({ value }) => value === status) ?? anyStatus;
  return (
    <Grid gridDefinition={[{ colspan: { default: 12, xs: 8 } }, { colspan: { default: 12, xs: 4 } }]}>
      <Input
        type="search"
        value={prefix}
        ariaLabel="Find users by id prefix"
        placeholder="User id prefix"
        clearAriaLabel="Clear"
        onChange={({ detail }) => onPrefix(detail.value)}
      />
      <Select
        selectedOption={selected}
        options={options}
        ariaLabel="Status"
        onChange={({ detail }) => onStatus(userStatuses.find((known) => known === detail.selectedOption.value))}
      />
    </Grid>
  );
}

/** The value, after it has not changed for the given time. */
export function useDebounced<T>(value: T, milliseconds: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return debounced;
}
