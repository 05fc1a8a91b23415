import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { turnOffWebhook } from '../server/webhooks.ts';
import { removeTurnOff, type WebhookDelivery } from '../table/webhook-state-item.ts';

/**
 * Turns off the webhooks of which a delivery has noted that their receivers accept nothing any more, and returns the others. One
 * that cannot be turned off now keeps its note, and sends nothing meanwhile.
 */
export async function turnOffNoted(
  webhooks: readonly WebhookDelivery[],
  requestId: string,
): Promise<WebhookDelivery[]> {
  for (const webhook of webhooks) {
    try {
      await turnOff(webhook, requestId);
    } catch (error) {
      const { appId, webhookId } = webhook;
      log.error('A webhook could not be turned off', { appId, webhookId, error });
    }
  }
  return webhooks.filter((webhook) => webhook.turnOff === undefined);
}

async function turnOff({ appId, webhookId, turnOff: noted }: WebhookDelivery, requestId: string): Promise<void> {
  if (noted === undefined) return;
  const { reason: offReason, seenSince } = noted;
  const name = { appId, webhookId };
  const context = { caller: { kind: 'service' }, requestId, sourceIp: '' } as const;
  const { changed } = await turnOffWebhook({ ...name, offReason, seenSince }, context);
  await removeTurnOff(name);
  if (!changed) return;
  log.warn('A webhook turned itself off', { ...name, offReason });
  publishMetrics({ WebhooksTurnedOff: 1 });
}
