import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { isFound } from '#shared/contract/find-applications.ts';
import { isReviewOverdue } from '#shared/contract/review-due.ts';
import { createApplicationsFile, type ListedApplication } from '#shared/csv/application-table.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { ExportButton } from '../application/export-button.tsx';
import { ReviewDue } from '../application/review-status.tsx';
import { ActionButton } from '../forms/action-button.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { IdField, NameField } from '../forms/name-and-id.tsx';
import { SearchInput } from '../forms/search-input.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { pageParameter, useClearFilters, useFilter } from '../lists/use-filter.ts';
import { useCounts } from '../options/use-counts.ts';
import { useApi, useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { applicationPath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { useKeptText } from '../users/use-debounced.ts';

type Columns = readonly TableProps.ColumnDefinition<ListedApplication>[];

const columns: Columns = [
  {
    id: 'name',
    header: 'Application',
    isRowHeader: true,
    minWidth: 140,
    ...sortBy<ListedApplication>(({ name }) => name),
    cell: ({ appId, name }) => <RouteLink to={applicationPath(appId)}>{name}</RouteLink>,
  },
  {
    id: 'id',
    header: 'ID',
    minWidth: 110,
    ...sortBy<ListedApplication>(({ appId }) => appId),
    cell: ({ appId }) => <span className="break">{appId}</span>,
  },
  {
    id: 'rollout',
    header: 'Rollout',
    minWidth: 105,
    ...sortBy<ListedApplication>(({ rolloutPercent }) => rolloutPercent),
    cell: ({ rolloutPercent }) => `${rolloutPercent}%`,
  },
];

/** Shown if they are counted. */
const countedColumns: Columns = [
  {
    id: 'blocked',
    header: 'Users blocked',
    minWidth: 120,
    ...sortBy<ListedApplication>(({ counted }) => counted?.blocked ?? 0),
    cell: ({ appId, counted }) => (
      <Count of={counted?.blocked} to={`${applicationPath(appId)}?tab=users&access=blocked`} />
    ),
  },
  {
    id: 'keys',
    header: 'Active keys',
    minWidth: 120,
    ...sortBy<ListedApplication>(({ counted }) => counted?.keys.active ?? 0),
    cell: ({ appId, counted }) => (
      <>
        <Count of={counted?.keys.active} to={`${applicationPath(appId)}?tab=keys`} />
        {counted !== undefined && counted.keys.expiring > 0 && (
          <Box variant="small" color="text-status-warning" display="block">
            {counted.keys.expiring.toLocaleString('en')} {counted.keys.expiring === 1 ? 'expires' : 'expire'} soon
          </Box>
        )}
      </>
    ),
  },
];

/** A number that leads to what it counts. */
function Count({ of, to }: { readonly of: number | undefined; readonly to: string }) {
  if (of === undefined || of === 0) return <>{of ?? '–'}</>;
  return <RouteLink to={to}>{of.toLocaleString('en')}</RouteLink>;
}

const changedColumn: Columns[number] = {
  id: 'changed',
  header: 'Changed',
  minWidth: 130,
  ...sortBy<ListedApplication>(({ updatedAt }) => Date.parse(updatedAt)),
  cell: ({ updatedAt }) => <LocalTime at={updatedAt} />,
};

/** Shown once an application expects reviews. */
const reviewColumn: Columns[number] = {
  id: 'review',
  header: 'Review',
  minWidth: 180,
  ...sortBy<ListedApplication>(({ reviewDueAt }) => reviewDueAt && Date.parse(reviewDueAt)),
  cell: (application) => <ReviewDue application={application} />,
};

const overdue = 'overdue';

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
  const [review, setReview] = useFilter('review');
  const [q, search] = useFilter('q');
  const [typed, type] = useKeptText(q, search);
  const clearFilters = useClearFilters('review', 'q');
  const counts = useCounts();
  const isOverdueOnly = review === overdue;
  const isShown = (application: ApplicationView) =>
    isFound(application, q) && (!isOverdueOnly || isReviewOverdue(application, new Date()));
  const listed = (applications: readonly ApplicationView[]): ListedApplication[] =>
    applications.filter(isShown).map((one) => ({ ...one, counted: counts?.applications.get(one.appId) }));
  const hasReviews = isOverdueOnly || pages.items.some(({ reviewEveryDays }) => reviewEveryDays !== null);
  const shown = { ...pages, items: listed(pages.items), all: pages.all && listed(pages.all) };
  const create = (variant: 'primary' | 'normal') => (
    <ActionButton operation="create-application" variant={variant} onClick={() => setCreating(true)}>
      Create application
    </ActionButton>
  );
  const actions = (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => navigate('/roles')}>Roles</Button>
      <ExportButton<ListedApplication>
        name="applications"
        noun="application"
        load={async () => ({ items: [...(shown.all ?? shown.items)], cursor: null })}
        createFile={async (items) => createApplicationsFile(items)}
      />
      {create('primary')}
    </SpaceBetween>
  );
  return (
    <>
      <PagedTable
        pages={shown}
        columns={[...columns, ...(counts ? countedColumns : []), ...(hasReviews ? [reviewColumn] : []), changedColumn]}
        noun="applications"
        sortedBy="name"
        trackBy={({ appId }) => appId}
        header={
          <Header variant="h1" counter={counterOf(shown)} description={restriction} actions={actions}>
            Applications
          </Header>
        }
        emptyAction={create('normal')}
        clearFilters={clearFilters}
        filter={
          <SpaceBetween size="xs">
            <SearchInput value={typed} label="Find an application" placeholder="Name or ID" onChange={type} />
            {hasReviews && (
              <Checkbox
                checked={isOverdueOnly}
                onChange={({ detail }) => setReview(detail.checked ? overdue : undefined)}
              >
                Review overdue only
              </Checkbox>
            )}
          </SpaceBetween>
        }
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
  const { mutate, isPending, error } = useAction({
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
      <NameField value={name} onChange={setName} />
      <IdField
        label="Application ID"
        description="Part of its key IDs. It can't be changed or reused later."
        pointer="#/appId"
        value={appId}
        onChange={setAppId}
      />
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
