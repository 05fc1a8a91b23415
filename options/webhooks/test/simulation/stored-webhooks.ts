import type { Item } from '../../../../local/memory/memory-table.ts';

/** How far the deliveries of a webhook are. */
export interface StoredWebhookState {
  readonly appId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly leaseToken?: string;
}

/** The state of a webhook's deliveries; undefined for any other item. */
export function webhookStateOf(item: Item): StoredWebhookState | undefined {
  return item.pk === 'WEBHOOKS' ? (item as unknown as StoredWebhookState) : undefined;
}

/** What waits for a webhook of one user; undefined for any other item. */
export function webhookLaneOf({ pk, sk, events }: Item) {
  const [, appId = '', webhookId = ''] = /^WEBHOOK#([^#]+)#([^#]+)$/.exec(String(pk)) ?? [];
  const [, deliveryId = ''] = /^LANE#([^#]+)#/.exec(String(sk)) ?? [];
  return appId !== '' && deliveryId !== '' ? { appId, webhookId, deliveryId, events } : undefined;
}

/** A request of an operator that a webhook has not answered; undefined for any other item. */
export function webhookRequestOf({ pk, sk }: Item) {
  const [, appId = '', webhookId = ''] = /^WEBHOOK#([^#]+)#([^#]+)$/.exec(String(pk)) ?? [];
  return appId !== '' && /^REQUEST#/.test(String(sk)) ? { appId, webhookId, sk: String(sk) } : undefined;
}

/** The ids of the webhooks of an application. */
export function webhooksOf({ webhooks = {} }: Item): string[] {
  return Object.keys(webhooks as object);
}
