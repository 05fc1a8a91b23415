import type { AppId, WebhookId } from '#shared/contract/fields.ts';
import { operator } from '#test/support/start-service.ts';
import type { WebhookEvent } from '../contract/webhook.ts';

let created = 0;

export interface WebhookOptions {
  readonly url?: string;
  readonly format?: 'standard' | 'set';
  readonly enabled?: boolean;
  /** Default: all. */
  readonly events?: readonly WebhookEvent[] | null;
}

/** Creates a webhook of an application; returns its name and its secret. */
export async function newWebhook(
  app: string,
  { url = 'https://hooks.example.com/access', events = null, ...others }: WebhookOptions = {},
  id = `webhook-${++created}`,
) {
  const { createWebhook } = await import('../server/webhooks.ts');
  const name = { appId: app as AppId, webhookId: id as WebhookId };
  const { secret } = await createWebhook({ ...name, url, events, ...others }, operator);
  return { ...name, secret };
}
