import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { usePages } from '#dashboard/api/use-pages.ts';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { PagedTable } from '#dashboard/lists/paged-table.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { pageParameter } from '#dashboard/lists/use-filter.ts';
import { useApi, useWriter } from '#dashboard/session/dashboard-context.ts';
import { describeAction } from '#shared/contract/change-words.ts';
import type { AttemptOutcome, WebhookAttemptView } from '../contract/webhook.ts';
import { testEventType } from '../contract/webhook-events.ts';
import { useQueuedNotice } from './queued-notice.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { webhookKeys } from './webhook-queries.ts';

export interface AttemptsProps {
  readonly appId: string;
  readonly webhookId: string;
  readonly pollMilliseconds: number;
}

/** What was sent, when, and how it was answered, the newest first; and what sends it again. */
export function Attempts({ appId, webhookId, pollMilliseconds }: AttemptsProps) {
  const api = useApi();
  const path = { appId, webhookId };
  const [isAsking, ask] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const pages = usePages({
    parameter: pageParameter,
    queryKey: webhookKeys.attempts(appId, webhookId),
    load: (cursor, signal) => api('list-webhook-attempts', { path, query: { cursor }, signal }),
    pollMilliseconds,
  });
  return (
    <SpaceBetween size="s">
      <ProblemAlert error={error} />
      <PagedTable
        pages={pages}
        columns={[...columns, actionsColumn(path, setError)]}
        noun="attempts"
        trackBy={({ attemptId }) => attemptId}
        emptyHint="Every delivery appears here for 30 days. Send a test event to try the receiver."
        header={
          <Header
            variant="h2"
            description="Of the last 30 days. Updates automatically."
            actions={
              <ActionButton operation="resend-webhook" appId={appId} onClick={() => ask(true)}>
                Send all again…
              </ActionButton>
            }
          >
            Attempts
          </Header>
        }
      />
      {isAsking && <ResendDialog appId={appId} webhookId={webhookId} onClose={() => ask(false)} />}
    </SpaceBetween>
  );
}

const outcomes: Readonly<Record<AttemptOutcome, readonly [StatusIndicatorProps.Type, string]>> = {
  delivered: ['success', 'Delivered'],
  failed: ['warning', 'Failed'],
  refused: ['error', 'Rejected'],
  given_up: ['stopped', 'Given up'],
};

const columns: readonly TableProps.ColumnDefinition<WebhookAttemptView>[] = [
  { id: 'at', header: 'When', minWidth: 130, cell: ({ at }) => <LocalTime at={at} withSeconds /> },
  {
    id: 'event',
    header: 'Event',
    minWidth: 150,
    isRowHeader: true,
    cell: ({ type, eventId }) => (
      <>
        {type === testEventType ? 'Test event' : describeAction({ action: type })}
        <Box variant="small" display="block" color="text-body-secondary">
          <span className="break">{eventId}</span>
        </Box>
      </>
    ),
  },
  {
    id: 'outcome',
    header: 'Result',
    minWidth: 160,
    cell: ({ outcome, status, error }) => {
      const [type, label] = outcomes[outcome];
      return (
        <>
          <StatusIndicator type={type}>{label}</StatusIndicator>
          <Box variant="small" display="block">
            <span className="break">{error ?? (status !== null && `Status ${status}`)}</span>
          </Box>
        </>
      );
    },
  },
  {
    id: 'took',
    header: 'Duration',
    minWidth: 95,
    cell: ({ durationMilliseconds }) => `${durationMilliseconds.toLocaleString('en')} ms`,
  },
  {
    id: 'next',
    header: 'Next attempt',
    minWidth: 130,
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : <LocalTime at={nextAttemptAt} withSeconds />),
  },
];

interface WebhookPath {
  readonly appId: string;
  readonly webhookId: string;
}

function actionsColumn(
  path: WebhookPath,
  onEnd: (error: Error | null) => void,
): TableProps.ColumnDefinition<WebhookAttemptView> {
  return {
    id: 'actions',
    header: 'Actions',
    minWidth: 120,
    cell: ({ type, eventId }) => type !== testEventType && <SendAgain path={path} changeId={eventId} onEnd={onEnd} />,
  };
}

interface SendAgainProps {
  readonly path: WebhookPath;
  readonly changeId: string;
  /** Called with what went wrong, or null. */
  readonly onEnd: (error: Error | null) => void;
}

function SendAgain({ path, changeId, onEnd }: SendAgainProps) {
  const write = useWriter();
  const notify = useQueuedNotice();
  const { mutate } = useAction({
    isRepeatable: true,
    mutationFn: () => write('resend-webhook', { path, body: { changeId } }),
    onSuccess: ({ queued }) => notify(queued, 'The event is sent again.'),
    onSettled: (_, error) => onEnd(error),
  });
  return (
    <ActionButton
      operation="resend-webhook"
      appId={path.appId}
      variant="inline-link"
      ariaLabel={`Send again: ${changeId}`}
      onClick={() => mutate()}
    >
      Send again
    </ActionButton>
  );
}
