import type { Changed } from '#shared/contract/answers.ts';
import type { WebhookName } from '#shared/contract/fields.ts';
import { type ApplicationChange, changeApplication } from '#shared/domain/application/applications.ts';
import { requireVersion } from '#shared/domain/request/optimistic-locking.ts';
import { recordedDifference } from '#shared/domain/request/recorded-difference.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { WebhookView } from '../contract/webhook.ts';
import { requireWebhook, type Webhook, webhookOf } from '../table/webhook-item.ts';
import { deleteWebhookStateEntry, enableWebhookEntry, putWebhookStateEntry } from '../table/webhook-state-item.ts';
import { webhookView } from './read-webhooks.ts';
import { type Decided, recordedWebhook } from './recorded-webhook.ts';

/** The variable part of a change of a webhook. */
export interface WebhookRule<Next extends Decided | null = Decided> {
  /** What to store; `null` to delete. Throws refusals. */
  readonly decide: (current: Webhook | undefined, application: Application) => Next;
  /** Where the deliveries of a webhook begin that the rule may create. Default: it creates none. */
  readonly start?: Promise<string>;
}

export interface WebhookCommand extends WebhookName {
  /** The versions that the caller expects; undefined for any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/** The one way to change a webhook, as part of its application; the answer contains no secret. */
export async function changeWebhook(
  { appId, webhookId, ifMatch }: WebhookCommand,
  context: RequestContext,
  rule: WebhookRule,
): Promise<Changed<WebhookView>> {
  return changeApplication({ appId }, context, {
    decide: (application, at) => decideChange({ appId, webhookId, ifMatch }, application, at, rule),
    answerOf: ({ application, changed }) => {
      return { ...webhookView({ appId, webhookId }, requireWebhook(application, webhookId), undefined), changed };
    },
  });
}

/** Removes a webhook from its application. */
export async function removeWebhook<Answer>(
  command: WebhookCommand,
  context: RequestContext,
  answer: Answer,
): Promise<Answer> {
  const rule: WebhookRule<null> = {
    decide: (_, application) => {
      requireWebhook(application, command.webhookId);
      return null;
    },
  };
  return changeApplication(command, context, {
    decide: (application, at) => decideChange(command, application, at, rule),
    answerOf: () => answer,
  });
}

async function decideChange(
  { appId, webhookId, ifMatch }: WebhookCommand,
  application: Application,
  at: Date,
  { decide, start }: WebhookRule<Decided | null>,
): Promise<ApplicationChange | undefined> {
  const current = webhookOf(application, webhookId);
  if (current !== undefined) requireVersion('webhook', current.version, ifMatch);
  const decided = decide(current, application);
  const recorded = recordedDifference(recordedWebhook(current), recordedWebhook(decided ?? undefined));
  if (recorded === undefined) return undefined;
  const { [webhookId]: _, ...others } = application.webhooks ?? {};
  const updatedAt = at.toISOString();
  const version = (current?.version ?? 0) + 1;
  const next = decided && { ...decided, version, createdAt: current?.createdAt ?? updatedAt, updatedAt };
  return {
    action: actionOf(current, decided),
    webhookId,
    ...recorded,
    next: { webhooks: next === null ? others : { ...others, [webhookId]: next } },
    also: await deliveryEntries({ appId, webhookId }, current, decided, start),
  };
}

function actionOf(current: Webhook | undefined, decided: Decided | null) {
  if (current === undefined) return 'webhook.created';
  if (decided === null) return 'webhook.deleted';
  return current.secretId === decided.secretId ? 'webhook.updated' : 'webhook.rotated';
}

/** Begins, stops, continues or ends the deliveries with the webhook. */
async function deliveryEntries(
  name: WebhookName,
  current: Webhook | undefined,
  decided: Decided | null,
  start: Promise<string> | undefined,
): Promise<readonly TransactEntry[]> {
  if (decided === null) return [deleteWebhookStateEntry(name)];
  const { enabled } = decided;
  if (current !== undefined) return enabled === current.enabled ? [] : [enableWebhookEntry(name, enabled)];
  if (start === undefined) throw new Error('A webhook was created without a start of its deliveries');
  return [putWebhookStateEntry(name, { cursor: await start, enabled })];
}
