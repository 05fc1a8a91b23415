import type { AppId } from '#shared/contract/fields.ts';
import type { ApplicationPart } from '#shared/domain/application/application-part.ts';
import { deleteInBatches } from '#shared/domain/request/delete-in-batches.ts';
import { queryItems } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
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
};

/** Without it a webhook is no longer woken; its attempts expire. */
async function deleteWebhookStates(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(webhookStatesRange(appId), { limit: 50 });
  await deleteInBatches(items.map((item) => [deleteEntry(item)]));
  return items.length > 0;
}
