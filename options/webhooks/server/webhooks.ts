import type { Changed, Deletion } from '#shared/contract/answers.ts';
import { type FieldChanges, mergeFields } from '#shared/contract/field-forms.ts';
import type { WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { alreadyExists } from '#shared/domain/request/build-change.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { SetWebhookView } from '../contract/own-webhook.ts';
import {
  type IssuedWebhookView,
  maxWebhooksPerApplication,
  type WebhookEvent,
  type WebhookOffReason,
  type WebhookView,
} from '../contract/webhook.ts';
import { webhookFields } from '../contract/webhook-fields.ts';
import { requireWebhook } from '../table/webhook-item.ts';
import { readWebhookStates } from '../table/webhook-state-item.ts';
import { changeWebhook, removeWebhook, type WebhookCommand, type WebhookRule } from './change-webhook.ts';
import { currentCursor } from './delivery-start.ts';
import { withProgress } from './read-webhooks.ts';
import { type Decided, secretIdsOf, type WebhookSettings } from './recorded-webhook.ts';
import { webhookConfig } from './webhook-config.ts';
import { formatSecretId, formatWebhookSecret } from './webhook-secret.ts';
import { webhookUrlProblem } from './webhook-url.ts';

export interface NewWebhook extends WebhookName, FieldChanges<typeof webhookFields> {
  readonly url: string;
  readonly events: readonly WebhookEvent[] | null;
}

/** Creates a webhook that receives what is numbered from now on; only this answer contains its secret. */
export async function createWebhook(request: NewWebhook, context: RequestContext): Promise<IssuedWebhookView> {
  const create = creation(settingsOf(request));
  const view = await changeWebhook(request, context, {
    decide: (current, application) => {
      if (current !== undefined) throw alreadyExists();
      return create(application);
    },
    start: readStart(request),
  });
  return withSecret(request, view, context);
}

/** Begins to read where deliveries begin, beside the application; a failure counts only if the position is needed. */
function readStart(name: WebhookName): Promise<string> {
  const start = currentCursor(name);
  start.catch(() => undefined);
  return start;
}

/** The settings of a new webhook, validated. */
function settingsOf({ events, ...request }: NewWebhook): WebhookSettings {
  const unset = { url: request.url, format: 'standard', enabled: true } as const;
  const settings = { ...mergeFields(webhookFields, unset, request), events };
  validate(settings);
  return settings;
}

/** Makes a new webhook, with the same secret in each attempt of a call. */
function creation(settings: WebhookSettings): (application: Application) => Decided {
  const secrets = { secretId: formatSecretId(createUlid(now())), previousSecretId: null, previousSecretUntil: null };
  return ({ webhooks = {} }) => {
    requireLimit(webhooks);
    return { ...settings, offReason: null, ...secrets };
  };
}

function validate({ url, format, enabled }: Omit<WebhookSettings, 'events'>): void {
  if (enabled && !webhookConfig().formats.includes(format)) {
    throw invalidField('format', 'is not offered by this deployment: see its setting webhooks');
  }
  const problem = webhookUrlProblem(url);
  if (problem !== undefined) throw invalidField('url', problem);
}

function requireLimit(webhooks: NonNullable<Application['webhooks']>): void {
  if (Object.keys(webhooks).length < maxWebhooksPerApplication) return;
  throw new ServiceError('too_many_webhooks', {
    detail: `An application can have at most ${maxWebhooksPerApplication} webhooks. Delete one first.`,
  });
}

/** Sets everything that callers set of a webhook, and creates it if there is none. */
export async function setWebhook(
  request: NewWebhook & WebhookCommand,
  context: RequestContext,
): Promise<SetWebhookView> {
  const settings = settingsOf(request);
  const create = creation(settings);
  const view = await changeWithProgress(request, context, {
    decide: (current, application) => {
      if (current === undefined) return create(application);
      const offReason = settings.enabled ? null : current.offReason;
      return { ...secretIdsOf(current), ...settings, offReason };
    },
    start: readStart(request),
  });
  if (!view.changed || view.version > 1) return { ...view, secret: null };
  return { ...(await withSecret(request, view, context)), changed: true };
}

export interface WebhookUpdate extends WebhookCommand, FieldChanges<typeof webhookFields> {
  readonly events?: readonly WebhookEvent[] | null | undefined;
}

/** Changes a webhook; undefined keeps a value. Turned on, it continues where it stopped. */
export async function updateWebhook(command: WebhookUpdate, context: RequestContext): Promise<Changed<WebhookView>> {
  return changeWithProgress(command, context, {
    decide: (_, application) => {
      const webhook = requireWebhook(application, command.webhookId);
      const { events = webhook.events } = command;
      const settings = mergeFields(webhookFields, webhook, command);
      validate(settings);
      const offReason = settings.enabled ? null : webhook.offReason;
      return { ...secretIdsOf(webhook), ...settings, events, offReason };
    },
  });
}

/** The service turns a webhook off whose receiver no longer accepts anything; `changed` is false if somebody has changed it since. */
export async function turnOffWebhook(
  name: WebhookName & { readonly offReason: WebhookOffReason; readonly seenSince: string },
  context: RequestContext,
): Promise<Changed<WebhookView>> {
  return changeWebhook(name, context, {
    decide: (_, application) => {
      const webhook = requireWebhook(application, name.webhookId);
      // Somebody has changed it while the delivery was in progress, perhaps its URL.
      if (webhook.updatedAt !== name.seenSince) return webhook;
      return { ...webhook, enabled: false, offReason: name.offReason };
    },
  });
}

/** Deletes a webhook. Its attempts expire. */
export async function deleteWebhook(name: WebhookName, context: RequestContext): Promise<Deletion> {
  return removeWebhook(name, context, { changed: true, complete: true });
}

export interface SecretRotation extends WebhookName {
  readonly overlapSeconds: number;
}

/** Replaces the secret; for the overlap both sign. Only this answer contains the new one. */
export async function rotateWebhookSecret(
  rotation: SecretRotation,
  context: RequestContext,
): Promise<IssuedWebhookView> {
  const at = now();
  const secretId = formatSecretId(createUlid(at));
  const previousSecretUntil = new Date(at.getTime() + rotation.overlapSeconds * 1000).toISOString();
  const view = await changeWithProgress(rotation, context, {
    decide: (_, application) => {
      const webhook = requireWebhook(application, rotation.webhookId);
      return { ...webhook, secretId, previousSecretId: webhook.secretId, previousSecretUntil };
    },
  });
  return withSecret(rotation, view, context);
}

/** Changes a webhook; the answer also says how far its deliveries are, read together with the application. */
async function changeWithProgress(
  command: WebhookCommand,
  context: RequestContext,
  rule: WebhookRule,
): Promise<Changed<WebhookView>> {
  const [view, [delivery]] = await Promise.all([changeWebhook(command, context, rule), readWebhookStates([command])]);
  return withProgress(view, delivery);
}

/** Adds the secret, derived from its id, so each attempt of the same call returns the same; a dry run has none. */
async function withSecret(
  name: WebhookName,
  { changed: _, ...view }: Changed<WebhookView>,
  { dryRun = false }: RequestContext,
): Promise<IssuedWebhookView> {
  return { ...view, secret: dryRun ? '' : await formatWebhookSecret(name, view.secrets[0]?.secretId ?? '') };
}
