import Checkbox from '@cloudscape-design/components/checkbox';
import Header from '@cloudscape-design/components/header';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { isReviewOverdue } from '#shared/contract/review-due.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { ReviewDue } from '../application/review-status.tsx';
import { ActionButton } from '../forms/action-button.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { IdField, NameField } from '../forms/name-and-id.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { pageParameter, useClearFilters, useFilter } from '../lists/use-filter.ts';
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

/** Shown once an application expects reviews. */
const reviewColumn: TableProps.ColumnDefinition<ApplicationView> = {
  id: 'review',
  header: 'Review',
  minWidth: 180,
  ...sortBy<ApplicationView>(({ reviewDueAt }) => reviewDueAt && Date.parse(reviewDueAt)),
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
  const clearFilters = useClearFilters('review');
  const isOverdueOnly = review === overdue;
  const isShown = (application: ApplicationView) => !isOverdueOnly || isReviewOverdue(application, new Date());
  const hasReviews = isOverdueOnly || pages.items.some(({ reviewEveryDays }) => reviewEveryDays !== null);
  const shown = { ...pages, items: pages.items.filter(isShown), all: pages.all?.filter(isShown) };
  const create = (variant: 'primary' | 'normal') => (
    <ActionButton operation="create-application" variant={variant} onClick={() => setCreating(true)}>
      Create application
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={shown}
        columns={hasReviews ? [...columns, reviewColumn] : columns}
        noun="applications"
        sortedBy="name"
        trackBy={({ appId }) => appId}
        header={
          <Header variant="h1" counter={counterOf(shown)} description={restriction} actions={create('primary')}>
            Applications
          </Header>
        }
        emptyAction={create('normal')}
        clearFilters={clearFilters}
        filter={
          hasReviews && (
            <Checkbox
              checked={isOverdueOnly}
              onChange={({ detail }) => setReview(detail.checked ? overdue : undefined)}
            >
              Review overdue only
            </Checkbox>
          )
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
