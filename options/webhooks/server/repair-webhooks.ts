import type { Change, RecordedState } from '#shared/contract/change.ts';
import type { AppId, WebhookName } from '#shared/contract/fields.ts';
import type { MissingChange } from '#shared/domain/application/application-part.ts';
import { recordedDifference } from '#shared/domain/request/recorded-difference.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { requireWebhook } from '../table/webhook-item.ts';
import { putWebhookStateEntry, readWebhookStates } from '../table/webhook-state-item.ts';
import { currentCursor } from './delivery-start.ts';
import { recordedWebhook } from './recorded-webhook.ts';

type Webhooks = NonNullable<Application['webhooks']>;

/** The webhooks after a Change of one. */
export function webhooksAfter(webhooks: Webhooks, { action, webhookId = '', after, at }: Change): Webhooks {
  const { [webhookId]: known, ...others } = webhooks;
  if (action === 'webhook.deleted') return others;
  const { version: before = 0, createdAt = at } = Object(known) as { version?: number; createdAt?: string };
  const { version: _, events, ...set } = after ?? {};
  const list = events === undefined ? {} : { events: events === null ? null : String(events).split(' ') };
  return {
    ...others,
    [webhookId]: {
      ...recordedWebhook(undefined),
      ...Object(known),
      ...set,
      ...list,
      version: before + 1,
      createdAt,
      updatedAt: at,
    },
  };
}

/** What must be recorded of webhooks whose Changes are missing. */
export function webhookStepsOf(application: Pick<Application, 'webhooks'>, own: readonly Change[]): MissingChange[] {
  return Object.keys(application.webhooks ?? {}).flatMap((webhookId): MissingChange[] => {
    const state = recordedWebhook(requireWebhook(application, webhookId));
    const changes = own.filter((change) => change.webhookId === webhookId);
    if (changes.length === 0) return [];
    const known: RecordedState = Object.assign({}, ...changes.map(({ after }) => after));
    const recorded = recordedDifference({ ...state, ...known }, state);
    return recorded === undefined ? [] : [{ action: 'webhook.updated', webhookId, ...recorded }];
  });
}

/** Begins deliveries for webhooks of an application that nobody would find. */
export async function missingWebhookStates(
  appId: AppId,
  application: Pick<Application, 'webhooks'>,
): Promise<TransactEntry[]> {
  const names = Object.keys(application.webhooks ?? {}).map((webhookId) => ({ appId, webhookId }) as WebhookName);
  if (names.length === 0) return [];
  const states = await readWebhookStates(names);
  const missing = names.filter((_, at) => states[at] === undefined);
  if (missing.length === 0) return [];
  const cursor = await currentCursor({ appId });
  return missing.map((name) => {
    const { enabled } = requireWebhook(application, name.webhookId);
    return putWebhookStateEntry(name, { cursor, enabled });
  });
}
