import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import { useCallback, useState } from 'react';
import { type AccessStatus, accessStatuses } from '#shared/contract/access.ts';
import { useApi } from '../api/use-api.ts';
import { usePages } from '../api/use-pages.ts';
import { PagedTable } from '../lists/paged-table.tsx';
import { accessColumns } from './access-columns.tsx';

const anyStatus = { value: 'any', label: 'Any setting' };
const options = [anyStatus, { value: 'enabled', label: 'Enabled' }, { value: 'disabled', label: 'Disabled' }];

/** The users whose access somebody has set, or who hold roles; all others are enabled by default. */
export default function UsersTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const [status, setStatus] = useState<AccessStatus>();
  const pages = usePages(
    useCallback(
      (cursor, signal) => api('list-application-users', { path: { appId }, query: { status, cursor }, signal }),
      [api, appId, status],
    ),
  );
  return (
    <PagedTable
      pages={pages}
      columns={accessColumns}
      noun="users"
      trackBy={({ userId }) => userId}
      header={
        <Header
          variant="h2"
          description="Users with a setting of their own or with roles. All others are enabled by default."
        >
          Users
        </Header>
      }
      filter={
        <Select
          ariaLabel="Setting"
          options={options}
          selectedOption={options.find(({ value }) => value === status) ?? anyStatus}
          onChange={({ detail }) => setStatus(accessStatuses.find((known) => known === detail.selectedOption.value))}
        />
      }
    />
  );
}
