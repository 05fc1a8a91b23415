import { formatTime } from '#cli/terminal/format-time.ts';
import type { Column } from '#cli/terminal/print-table.ts';
import type { WebhookAttemptView, WebhookView } from '../contract/webhook.ts';
import { describeWebhookState } from '../contract/webhook-words.ts';

/** The columns of webhooks. */
export const webhookColumns: readonly Column<WebhookView>[] = [
  { title: 'WEBHOOK', cell: ({ webhookId }) => webhookId },
  { title: 'STATE', cell: ({ state }) => state, tone: toneOf },
  { title: 'FORMAT', cell: ({ format }) => format },
  { title: 'EVENTS', isText: true, cell: eventsOf },
  { title: 'LAST DELIVERY', cell: ({ lastDeliveredAt }) => formatTime(lastDeliveredAt) },
  { title: 'FAILING SINCE', cell: ({ failingSince }) => formatTime(failingSince) },
  { title: 'URL', isText: true, cell: ({ url }) => url },
];

/** The columns of attempts. */
export const attemptColumns: readonly Column<WebhookAttemptView>[] = [
  { title: 'WHEN', cell: ({ at }) => formatTime(at) },
  { title: 'EVENT', cell: ({ type }) => type },
  { title: 'OUTCOME', cell: ({ outcome }) => outcome, tone: ({ error }) => (error === null ? undefined : 'yellow') },
  { title: 'STATUS', cell: ({ status }) => (status === null ? '-' : String(status)) },
  { title: 'MS', cell: ({ durationMilliseconds }) => String(durationMilliseconds) },
  { title: 'NEXT ATTEMPT', cell: ({ nextAttemptAt }) => formatTime(nextAttemptAt) },
  { title: 'CHANGE', isText: true, cell: ({ eventId }) => eventId },
  { title: 'ERROR', isText: true, cell: ({ error }) => error ?? '-' },
];

function eventsOf({ events }: WebhookView): string {
  return events?.join(' ') ?? 'all';
}

function toneOf({ state }: WebhookView) {
  return ({ on: undefined, off: 'dim', retrying: 'yellow', failed: 'red' } as const)[state];
}

/** A webhook as labels and values. */
export function rowsOfWebhook(
  appId: string,
  webhook: WebhookView,
): readonly (readonly [label: string, value: string])[] {
  const { webhookId, url, format, secrets, lastDeliveredAt, failingSince, lastError, nextAttemptAt } = webhook;
  return [
    ['webhook', webhookId],
    ['application', appId],
    ['url', url],
    ['format', format],
    ['events', eventsOf(webhook)],
    ['state', describeWebhookState(webhook)],
    ['last delivery', formatTime(lastDeliveredAt)],
    ...(failingSince === null ? [] : ([['failing since', formatTime(failingSince)]] as const)),
    ...(lastError === null ? [] : ([['last error', lastError]] as const)),
    ...(nextAttemptAt === null ? [] : ([['next attempt', formatTime(nextAttemptAt)]] as const)),
    ...secrets.flatMap(({ expiresAt }) =>
      expiresAt === null ? [] : ([['old secret until', formatTime(expiresAt)]] as const),
    ),
    ['created', formatTime(webhook.createdAt)],
    ['updated', formatTime(webhook.updatedAt)],
  ];
}
