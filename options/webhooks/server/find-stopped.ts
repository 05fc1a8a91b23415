import type { OverviewCount } from '#shared/domain/application/overview-count.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { type StoppedWebhook, stoppedMember } from '../contract/stopped-webhooks.ts';
import { webhookOf } from '../table/webhook-item.ts';

/** How many the overview names. */
const maxStopped = 10;

/** Those that turned themselves off, in the order of their applications. */
export const stoppedWebhooks: OverviewCount = {
  member: stoppedMember.name,
  count: async ({ applications }) => (await applications).flatMap(stoppedOf).slice(0, maxStopped),
};

function stoppedOf(application: Application): StoppedWebhook[] {
  const { appId, name, webhooks = {} } = application;
  return Object.keys(webhooks)
    .filter((webhookId) => (webhookOf(application, webhookId)?.offReason ?? null) !== null)
    .map((webhookId) => ({ appId, name, webhookId }));
}
