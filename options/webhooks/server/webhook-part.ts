import type { AppId } from '#shared/contract/fields.ts';
import type { ApplicationPart } from '#shared/domain/application/application-part.ts';
import { deleteInBatches } from '#shared/domain/request/delete-in-batches.ts';
import { queryItems } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { webhookOf } from '../table/webhook-item.ts';
import { webhookStatesRange } from '../table/webhook-item-keys.ts';
import { missingWebhookStates, webhookStepsOf, webhooksAfter } from './repair-webhooks.ts';

/** The webhooks of an application: what is set of them is in its item, and how far their deliveries are beside it. */
export const webhookPart: ApplicationPart = {
  actions: 'webhook.',
  attributesAfter: ({ webhooks = {} }, change) => ({ webhooks: webhooksAfter(webhooks, change) }),
  missingChanges: webhookStepsOf,
  items: 'webhook-state',
  missingItems: missingWebhookStates,
  deleteItems: deleteWebhookStates,
  stoppedIn: (application) =>
    Object.keys(application.webhooks ?? {}).filter((webhookId) => hasStopped(application, webhookId)),
};

/** Without it a webhook is no longer woken; its attempts expire. */
async function deleteWebhookStates(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(webhookStatesRange(appId), { limit: 50 });
  await deleteInBatches(items.map((item) => [deleteEntry(item)]));
  return items.length > 0;
}

/** Whether it turned itself off. */
function hasStopped(application: Application, webhookId: string): boolean {
  return (webhookOf(application, webhookId)?.offReason ?? null) !== null;
}
