import type { ChangeKinds } from '#shared/contract/described-changes.ts';

/** Why a webhook has stopped. */
const offReasonLabels: Readonly<Record<string, string>> = {
  failing: 'deliveries failed for three days',
  gone: 'the receiver answered 410 Gone',
};

/** The reason for which a webhook has stopped; for an unknown reason, its name in the API. */
export function describeOffReason(reason: string): string {
  return offReasonLabels[reason] ?? reason;
}

/** The Changes of webhooks; the URL of one can contain a token of its receiver. */
export const webhookChangeKinds = {
  actions: {
    'webhook.created': 'Webhook created',
    'webhook.updated': 'Webhook changed',
    'webhook.rotated': 'Webhook secret rotated',
    'webhook.deleted': 'Webhook deleted',
  },
  kept: { attribute: 'webhooks', noun: 'webhook' },
  labels: {
    url: 'URL',
    enabled: 'Deliveries',
    offReason: 'Stopped because',
    secretId: 'Secret',
    previousSecretId: 'Old secret',
    previousSecretUntil: 'Old secret until',
  },
  harmless: ['format', 'enabled', 'events', 'offReason', 'secretId', 'previousSecretId', 'previousSecretUntil'],
  personal: ['url'],
  describe: {
    enabled: (value) => (value === null ? 'none' : value ? 'active' : 'paused'),
    offReason: (value) => (value === null ? 'none' : describeOffReason(String(value))),
    // A webhook without a list receives all events; one without a URL does not exist.
    events: (value, { state, actionLabel }) => {
      if (value === null) return state.url === null ? 'none' : 'all';
      return String(value).split(' ').map(actionLabel).join(', ');
    },
  },
} as const satisfies ChangeKinds;
