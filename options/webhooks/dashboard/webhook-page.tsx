import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useAppName } from '#dashboard/history/use-names.ts';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { QueryStatus } from '#dashboard/lists/query-status.tsx';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import { Breadcrumbs } from '#dashboard/shell/breadcrumbs.tsx';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { applicationPath } from '#dashboard/shell/page-paths.ts';
import type { WebhookView } from '../contract/webhook.ts';
import { describeOffReason } from '../contract/webhook-change-kinds.ts';
import { Attempts } from './attempts.tsx';
import { ReceiverSetup } from './receiver-setup.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { webhookKeys } from './webhook-queries.ts';
import { describeEvents, describeFormat, WebhookStatus } from './webhook-state.tsx';

/** One webhook with its attempts. Both refresh while the page is visible. */
export default function WebhookPage() {
  const { appId = '', webhookId = '' } = useParams();
  const api = useApi();
  const client = useQueryClient();
  const appName = useAppName()(appId);
  const queryKey = webhookKeys.one(appId, webhookId);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api('get-webhook', { path: { appId, webhookId }, signal }),
    refetchInterval: ({ state }) => state.data !== undefined && pollMilliseconds,
  });
  const { data: webhook } = query;
  usePageTitle(`${webhookId} · ${appName}`);
  const reload = () => void client.invalidateQueries({ queryKey });
  return (
    <SpaceBetween size="l">
      <Breadcrumbs
        list={{ text: 'Applications', href: '/applications' }}
        parent={{ text: appName, href: `${applicationPath(appId)}?tab=webhooks` }}
        current={webhookId}
      />
      <Header
        variant="h1"
        description={webhook && <span className="break">{webhook.url}</span>}
        actions={webhook && <WebhookActions appId={appId} webhook={webhook} reload={reload} />}
      >
        {webhookId}
      </Header>
      {webhook === undefined && <QueryStatus query={query} of="the webhook" />}
      {webhook && (
        <SpaceBetween size="l">
          {webhook.offReason !== null && <Stopped offReason={webhook.offReason} />}
          <Delivery webhook={webhook} />
          <ExpandableSection
            variant="container"
            headerText="What the receiver needs"
            headingTagOverride="h2"
            defaultExpanded={webhook.lastDeliveredAt === null}
          >
            <ReceiverSetup webhook={webhook} />
          </ExpandableSection>
          <Attempts appId={appId} webhookId={webhookId} pollMilliseconds={pollMilliseconds} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}

const pollMilliseconds = 3000;

function Stopped({ offReason }: { readonly offReason: string }) {
  return (
    <Alert type="error" header="This webhook has stopped">
      Nothing is delivered, because {describeOffReason(offReason)}. Correct the receiver and choose Resume: it continues
      where it stopped, as long as the changes are kept.
    </Alert>
  );
}

function Delivery({ webhook }: { readonly webhook: WebhookView }) {
  const { failingSince, lastError, lastDeliveredAt, nextAttemptAt, oldestUndelivered, secrets } = webhook;
  const old = secrets.find(({ expiresAt }) => expiresAt !== null);
  const times = [
    ['Last delivery', lastDeliveredAt ?? null, 'None yet'],
    ['Failing since', failingSince],
    ['Oldest waiting change', oldestUndelivered],
    ['Next attempt', nextAttemptAt],
    ['Old secret signs until', old?.expiresAt ?? null],
  ] as const;
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'State', value: <WebhookStatus webhook={webhook} /> },
          { label: 'Events', value: describeEvents(webhook) },
          { label: 'Format', value: describeFormat(webhook) },
          ...times.flatMap(([label, at, none]) =>
            at === null && none === undefined
              ? []
              : [{ label, value: at === null ? none : <LocalTime at={at} withSeconds /> }],
          ),
          ...(lastError === null ? [] : [{ label: 'Last error', value: <span className="break">{lastError}</span> }]),
        ]}
      />
    </Container>
  );
}
