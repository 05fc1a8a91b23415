import Box from '@cloudscape-design/components/box';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { actionLabels } from '#shared/contract/change-words.ts';
import type { WebhookState, WebhookView } from '../contract/webhook.ts';
import { describeOffReason } from '../contract/webhook-change-kinds.ts';
import { webhookStateLabels } from '../contract/webhook-words.ts';

const types: Readonly<Record<WebhookState, StatusIndicatorProps.Type>> = {
  on: 'success',
  retrying: 'warning',
  off: 'stopped',
  failed: 'error',
};

/** The state of a webhook, with the reason if it has stopped. */
export function WebhookStatus({ webhook }: { readonly webhook: WebhookView }) {
  const { state, offReason } = webhook;
  return (
    <>
      <StatusIndicator type={types[state]}>{webhookStateLabels[state]}</StatusIndicator>
      {offReason !== null && (
        <Box variant="small" display="block">
          {describeOffReason(offReason)}
        </Box>
      )}
    </>
  );
}

/** What it receives, in words. */
export function describeEvents({ events }: Pick<WebhookView, 'events'>): string {
  return events === null ? 'All events' : events.map((event) => actionLabels[event]).join(', ');
}

/** What its format is called. */
export function describeFormat({ format }: Pick<WebhookView, 'format'>): string {
  return format === 'set' ? 'Security Event Tokens' : 'Standard Webhooks';
}
