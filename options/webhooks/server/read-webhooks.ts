import type { Page } from '#shared/contract/answers.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import type { WebhookName } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { authorize } from '#shared/domain/request/authorize.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { readApplication, readExistingApplication } from '#shared/table/items/application-item.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import type { WebhookState, WebhookView } from '../contract/webhook.ts';
import { webhookFields } from '../contract/webhook-fields.ts';
import { requireWebhook, secretsOf, type Webhook } from '../table/webhook-item.ts';
import { readStatesOfApplication, readWebhookStates, type WebhookDelivery } from '../table/webhook-state-item.ts';

/** The webhooks of an application, ordered by id. They are stored in one item, so a cursor is the id of a webhook. */
export async function listWebhooks(
  { appId, limit, cursor }: PageRequest & Pick<WebhookName, 'appId'>,
  context: RequestContext,
): Promise<Page<WebhookView>> {
  const [guarded, states] = await Promise.all([readApplication(appId), readStatesOfApplication(appId)]);
  const application = await authorize(context, guarded, now());
  const ids = Object.keys(application.webhooks ?? {}).sort() as WebhookName['webhookId'][];
  const start = cursor === undefined ? 0 : ids.indexOf(cursor as WebhookName['webhookId']) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const items = ids.slice(start, start + limit).map((webhookId) => {
    const state = states.find((one) => one.webhookId === webhookId);
    return webhookView({ appId, webhookId }, requireWebhook(application, webhookId), state);
  });
  return { items, cursor: start + limit < ids.length ? (items.at(-1)?.webhookId ?? null) : null };
}

/** One webhook, or 404. */
export async function getWebhook(name: WebhookName): Promise<WebhookView> {
  const [application, [state]] = await Promise.all([readExistingApplication(name.appId), readWebhookStates([name])]);
  return webhookView(name, requireWebhook(application, name.webhookId), state);
}

/** A webhook as operators see it, and how far its deliveries are. */
export function webhookView(
  { webhookId }: WebhookName,
  webhook: Webhook,
  delivery: WebhookDelivery | undefined,
): WebhookView {
  const { events, offReason, version, createdAt, updatedAt } = webhook;
  const secrets = secretsOf(webhook, now());
  const settings = { webhookId, ...pickFields(webhookFields, webhook), events: events && [...events] };
  const state = { state: stateOf(webhook, delivery), offReason };
  return { ...settings, ...state, secrets, ...progressOf(delivery), version, createdAt, updatedAt };
}

/** A view after a write, with how far the deliveries were before it. */
export function withProgress<View extends WebhookView>(view: View, delivery: WebhookDelivery | undefined): View {
  return { ...view, state: stateOf(view, delivery), ...progressOf(delivery) };
}

function stateOf(
  { enabled, offReason }: Pick<Webhook, 'enabled' | 'offReason'>,
  delivery: WebhookDelivery | undefined,
): WebhookState {
  if (!enabled) return offReason === null ? 'off' : 'failed';
  return (delivery?.failingSince ?? null) === null ? 'on' : 'retrying';
}

function progressOf(delivery: WebhookDelivery | undefined) {
  const { failingSince = null, lastError = null, lastDeliveredAt = null } = delivery ?? {};
  const { nextAttemptAt = null, oldestWaiting = null } = delivery ?? {};
  return {
    failingSince,
    lastError,
    lastDeliveredAt,
    nextAttemptAt,
    oldestUndelivered: oldestWaiting === null ? null : new Date(timeOfUlid(oldestWaiting)).toISOString(),
  };
}
