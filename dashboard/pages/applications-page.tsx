import Checkbox from '@cloudscape-design/components/checkbox';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import type { TableProps } from '@cloudscape-design/components/table';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi, useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { applicationPath, RouteLink } from '../shell/route-link.tsx';

const columns: readonly TableProps.ColumnDefinition<ApplicationView>[] = [
  {
    id: 'name',
    header: 'Application',
    isRowHeader: true,
    minWidth: 140,
    ...sortBy<ApplicationView>(({ name }) => name),
    cell: ({ appId, name }) => <RouteLink to={applicationPath(appId)}>{name}</RouteLink>,
  },
  {
    id: 'id',
    header: 'ID',
    minWidth: 110,
    ...sortBy<ApplicationView>(({ appId }) => appId),
    cell: ({ appId }) => appId,
  },
  {
    id: 'rollout',
    header: 'Rollout',
    minWidth: 105,
    ...sortBy<ApplicationView>(({ rolloutPercent }) => rolloutPercent),
    cell: ({ rolloutPercent }) => `${rolloutPercent}%`,
  },
  {
    id: 'created',
    header: 'Created',
    minWidth: 130,
    ...sortBy<ApplicationView>(({ createdAt }) => Date.parse(createdAt)),
    cell: ({ createdAt }) => <LocalTime at={createdAt} />,
  },
  {
    id: 'changed',
    header: 'Changed',
    minWidth: 130,
    ...sortBy<ApplicationView>(({ updatedAt }) => Date.parse(updatedAt)),
    cell: ({ updatedAt }) => <LocalTime at={updatedAt} />,
  },
];

/** The list of applications. */
export default function ApplicationsPage() {
  usePageTitle('Applications');
  const api = useApi();
  const navigate = useNavigate();
  const { restriction } = useOperator();
  const [creating, setCreating] = useState(false);
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: queryKeys.applications,
    load: (cursor, signal, limit) => api('list-applications', { query: { limit, cursor }, signal }),
  });
  const create = (variant: 'primary' | 'normal') => (
    <ActionButton operation="create-application" variant={variant} onClick={() => setCreating(true)}>
      Create application
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="applications"
        sortedBy="name"
        trackBy={({ appId }) => appId}
        header={
          <Header variant="h1" counter={counterOf(pages)} description={restriction} actions={create('primary')}>
            Applications
          </Header>
        }
        emptyAction={create('normal')}
      />
      {creating && (
        <CreateApplicationDialog
          onClose={() => setCreating(false)}
          onCreated={(appId) => navigate(applicationPath(appId))}
        />
      )}
    </>
  );
}

interface CreateApplicationDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (appId: string) => void;
}

/** Creates an application that allows all users, or blocks them at first with a rollout of 0%. */
function CreateApplicationDialog({ onClose, onCreated }: CreateApplicationDialogProps) {
  const write = useWriter();
  const [appId, setAppId] = useState('');
  const [name, setName] = useState('');
  const [startsBlocked, setStartsBlocked] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      write('create-application', { body: { appId, name, ...(startsBlocked && { rolloutPercent: 0 }) } }),
    onSuccess: (created) => onCreated(created.appId),
  });
  return (
    <FormDialog
      title="Create application"
      verb="Create application"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Field label="Name" description="Shown to operators." pointer="#/name">
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </Field>
      <Field
        label="Application ID"
        description="Part of its key IDs. It can't be changed or reused later."
        constraintText="2–40 lower-case letters, digits or hyphens, starting with a letter"
        pointer="#/appId"
      >
        <Input value={appId} onChange={({ detail }) => setAppId(detail.value.trim())} />
      </Field>
      <Checkbox
        checked={startsBlocked}
        description="Until you raise the rollout, only users you allow one by one have access."
        onChange={({ detail }) => setStartsBlocked(detail.checked)}
      >
        Block all users at first
      </Checkbox>
    </FormDialog>
  );
}
