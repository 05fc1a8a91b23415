import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { counterOf, useList } from '#dashboard/api/use-list.ts';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { PagedTable } from '#dashboard/lists/paged-table.tsx';
import { sortBy } from '#dashboard/lists/sort-items.ts';
import { pageParameter } from '#dashboard/lists/use-filter.ts';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import { RouteLink } from '#dashboard/shell/route-link.tsx';
import type { IssuedWebhookView, WebhookView } from '../contract/webhook.ts';
import { describeOffReason } from '../contract/webhook-change-kinds.ts';
import { CreateWebhookDialog } from './webhook-dialog.tsx';
import { webhookPath } from './webhook-paths.ts';
import { webhookKeys } from './webhook-queries.ts';
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx';
import { describeEvents, describeFormat, WebhookStatus } from './webhook-state.tsx';

/** The webhooks of an application. */
export default function WebhooksTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const navigate = useNavigate();
  const [doing, setDoing] = useState<'create' | IssuedWebhookView>();
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: webhookKeys.all(appId),
    load: (_, signal) => api('list-webhooks', { path: { appId }, signal }),
  });
  const open = ({ webhookId }: IssuedWebhookView) => navigate(webhookPath(appId, webhookId));
  // Only the receiver of Standard Webhooks needs the secret.
  const created = (issued: IssuedWebhookView) => {
    pages.reload();
    if (issued.format === 'standard') setDoing(issued);
    else open(issued);
  };
  const create = (
    <ActionButton operation="create-webhook" appId={appId} onClick={() => setDoing('create')}>
      Create webhook
    </ActionButton>
  );
  return (
    <SpaceBetween size="s">
      {pages.items.map((webhook) => (
        <StoppedNotice key={webhook.webhookId} appId={appId} webhook={webhook} />
      ))}
      <PagedTable
        pages={pages}
        columns={columnsOf(appId)}
        noun="webhooks"
        sortedBy="webhook"
        trackBy={({ webhookId }) => webhookId}
        emptyHint="With a webhook, the application hears of a block within seconds, without asking."
        emptyAction={create}
        header={
          <Header
            variant="h2"
            counter={counterOf(pages)}
            description="The service posts the application's changes to these URLs."
            actions={create}
          >
            Webhooks
          </Header>
        }
      />
      {doing === 'create' && (
        <CreateWebhookDialog
          appId={appId}
          taken={pages.items.map(({ webhookId }) => webhookId)}
          onClose={() => setDoing(undefined)}
          onCreated={created}
        />
      )}
      {typeof doing === 'object' && <WebhookSecretDialog issued={doing} onClose={() => open(doing)} />}
    </SpaceBetween>
  );
}

interface OfWebhook {
  readonly appId: string;
  readonly webhook: WebhookView;
}

function StoppedNotice({ appId, webhook: { webhookId, offReason } }: OfWebhook) {
  if (offReason === null) return null;
  return (
    <Alert type="error" header={`${webhookId} has stopped`}>
      Nothing is delivered, because {describeOffReason(offReason)}.{' '}
      <RouteLink to={webhookPath(appId, webhookId)}>See its attempts</RouteLink>
    </Alert>
  );
}

function columnsOf(appId: string): readonly TableProps.ColumnDefinition<WebhookView>[] {
  return [
    {
      id: 'webhook',
      header: 'Webhook',
      isRowHeader: true,
      minWidth: 180,
      ...sortBy<WebhookView>(({ webhookId }) => webhookId),
      cell: ({ webhookId, url }) => (
        <>
          <RouteLink to={webhookPath(appId, webhookId)}>{webhookId}</RouteLink>
          <Box variant="small" display="block" color="text-body-secondary">
            <span className="break">{url}</span>
          </Box>
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      minWidth: 140,
      ...sortBy<WebhookView>(({ state }) => state),
      cell: (webhook) => <WebhookStatus webhook={webhook} />,
    },
    { id: 'events', header: 'Events', minWidth: 150, cell: describeEvents },
    { id: 'format', header: 'Format', minWidth: 120, cell: describeFormat },
    timeColumn('delivered', 'Last delivery', ({ lastDeliveredAt }) => lastDeliveredAt),
    timeColumn('failing', 'Failing since', ({ failingSince }) => failingSince),
  ];
}

function timeColumn(
  id: string,
  header: string,
  timeOf: (webhook: WebhookView) => string | null,
): TableProps.ColumnDefinition<WebhookView> {
  return {
    id,
    header,
    minWidth: 130,
    ...sortBy<WebhookView>((webhook) => {
      const at = timeOf(webhook);
      return at && Date.parse(at);
    }),
    cell: (webhook) => {
      const at = timeOf(webhook);
      return at === null ? '–' : <LocalTime at={at} />;
    },
  };
}
