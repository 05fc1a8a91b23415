import Grid from '@cloudscape-design/components/grid';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { type UserStatus, userStatuses } from '#shared/contract/access.ts';

export interface UsersFilterProps {
  /** Beginnings of words. */
  readonly q: string;
  readonly onSearch: (q: string) => void;
  /** Undefined means any status. */
  readonly status: UserStatus | undefined;
  readonly onStatus: (status: UserStatus | undefined) => void;
}

const anyStatus = { value: 'any', label: 'Any status' };
const options = [anyStatus, { value: 'active', label: 'Active' }, { value: 'inactive', label: 'Inactive' }];

/** Finds users by name, e-mail address or id, and filters them by status. */
export function UsersFilter({ q, onSearch, status, onStatus }: UsersFilterProps) {
  const selected = options.find(({ value }) => value === status) ?? anyStatus;
  return (
    <Grid gridDefinition={[{ colspan: { default: 12, xs: 8 } }, { colspan: { default: 12, xs: 4 } }]}>
      <Input
        type="search"
        value={q}
        ariaLabel="Find users by name, e-mail address or id"
        placeholder="Name, e-mail address or id"
        clearAriaLabel="Clear"
        onChange={({ detail }) => onSearch(detail.value)}
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
