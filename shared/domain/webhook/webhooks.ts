import type { Changed, Deletion, Page } from '#shared/contract/answers.ts';
import type { ChangeSide } from '#shared/contract/change.ts';
import type { WebhookName } from '#shared/contract/fields.ts';
import { type FieldChanges, type FieldValues, mergeFields, pickFields } from '#shared/contract/resource-fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import {
  type IssuedWebhookView,
  maxWebhooksPerApplication,
  type WebhookEvent,
  type WebhookOffReason,
  type WebhookState,
  type WebhookView,
} from '#shared/contract/webhook.ts';
import { webhookFields } from '#shared/contract/webhook-fields.ts';
import { now } from '#shared/core/clock.ts';
import { webhookConfig } from '#shared/core/config.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { formatSecretId, formatWebhookSecret } from '#shared/keys/webhook-secret.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import { type Application, readExistingApplication } from '#shared/table/items/application-item.ts';
import { requireWebhook, secretsOf, type Webhook, webhookOf } from '#shared/table/items/webhook-item.ts';
import {
  deleteWebhookStateEntry,
  enableWebhookEntry,
  putWebhookStateEntry,
  readWebhookStates,
  type WebhookDelivery,
} from '#shared/table/items/webhook-state-item.ts';
import { usersFeed } from '#shared/table/keys.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import { currentPosition, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { changeApplication } from '../application/applications.ts';
import { alreadyExists } from '../request/build-change.ts';
import { requireVersion } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';
import { webhookUrlProblem } from './webhook-url.ts';

interface Settings extends FieldValues<typeof webhookFields> {
  readonly events: readonly WebhookEvent[] | null;
}

export interface NewWebhook extends WebhookName, FieldChanges<typeof webhookFields> {
  readonly url: string;
  readonly events: readonly WebhookEvent[] | null;
}

/** Creates a webhook that receives what is numbered from now on; only this answer contains its secret. */
export async function createWebhook(request: NewWebhook, context: RequestContext): Promise<IssuedWebhookView> {
  const { appId, webhookId, events } = request;
  const unset = { url: request.url, format: 'standard', enabled: true } as const;
  const settings = { ...mergeFields(webhookFields, unset, request), events };
  validate(settings);
  const secretId = formatSecretId(createUlid(now()));
  const cursor = await currentCursor(request);
  const view = await changeWebhook(request, context, {
    action: 'webhook.created',
    decide: (current, { webhooks = {} }) => {
      if (current !== undefined) throw alreadyExists();
      requireLimit(webhooks);
      const secrets = { secretId, previousSecretId: null, previousSecretUntil: null };
      return { ...settings, offReason: null, ...secrets };
    },
    also: () => [putWebhookStateEntry({ appId, webhookId }, { cursor, enabled: settings.enabled })],
  });
  return withSecret(request, view, context);
}

/** The end of both feeds of an application. */
export async function currentCursor({ appId }: Pick<WebhookName, 'appId'>): Promise<string> {
  const feeds = await Promise.all([currentPosition(appId), currentPosition(usersFeed)]);
  return encodeFeedCursor(appId, { feeds, pendingAfter: undefined });
}

function validate({ url, format, enabled }: Omit<Settings, 'events'>): void {
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

/** The webhooks of an application, ordered by id. They are stored in one item, so a cursor is the id of a webhook. */
export async function listWebhooks({
  appId,
  limit,
  cursor,
}: PageRequest & Pick<WebhookName, 'appId'>): Promise<Page<WebhookView>> {
  const application = await readExistingApplication(appId);
  const ids = Object.keys(application.webhooks ?? {}).sort() as WebhookName['webhookId'][];
  const start = cursor === undefined ? 0 : ids.indexOf(cursor as WebhookName['webhookId']) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const names = ids.slice(start, start + limit).map((webhookId) => ({ appId, webhookId }));
  const states = await readWebhookStates(names);
  const items = names.map((name, at) => webhookView(name, requireWebhook(application, name.webhookId), states[at]));
  return { items, cursor: start + limit < ids.length ? (items.at(-1)?.webhookId ?? null) : null };
}

/** One webhook, or 404. */
export async function getWebhook(name: WebhookName): Promise<WebhookView> {
  const [application, [state]] = await Promise.all([readExistingApplication(name.appId), readWebhookStates([name])]);
  return webhookView(name, requireWebhook(application, name.webhookId), state);
}

export interface WebhookUpdate extends WebhookName, FieldChanges<typeof webhookFields> {
  readonly events?: readonly WebhookEvent[] | null | undefined;
  /** The versions that the caller expects; undefined for any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/** Changes a webhook; undefined keeps a value. Turned on, it continues where it stopped. */
export async function updateWebhook(command: WebhookUpdate, context: RequestContext): Promise<Changed<WebhookView>> {
  const { changed, ...view } = await changeWebhook(command, context, {
    action: 'webhook.updated',
    decide: (_, application) => {
      const webhook = requireWebhook(application, command.webhookId);
      const { events = webhook.events } = command;
      const settings = mergeFields(webhookFields, webhook, command);
      validate(settings);
      const offReason = settings.enabled ? null : webhook.offReason;
      return { ...secretIdsOf(webhook), ...settings, events, offReason };
    },
    also: enablingEntries(command),
  });
  return { ...(await getWebhookView(command, view)), changed };
}

/** The service turns a webhook off whose receiver no longer accepts anything. */
export async function turnOffWebhook(
  name: WebhookName & { readonly offReason: WebhookOffReason; readonly seenSince: string },
  context: RequestContext,
): Promise<void> {
  await changeWebhook(name, context, {
    action: 'webhook.updated',
    decide: (_, application) => {
      const webhook = requireWebhook(application, name.webhookId);
      // Somebody has changed it while the delivery was in progress, perhaps its URL.
      if (webhook.updatedAt !== name.seenSince) return webhook;
      return { ...webhook, enabled: false, offReason: name.offReason };
    },
    also: enablingEntries(name),
  });
}

/** Turns the deliveries on or off with the webhook. */
function enablingEntries(name: WebhookName): NonNullable<WebhookRule['also']> {
  return ({ enabled }, before) => (enabled === before?.enabled ? [] : [enableWebhookEntry(name, enabled)]);
}

/** Deletes a webhook. Its attempts expire. */
export async function deleteWebhook(name: WebhookName, context: RequestContext): Promise<Deletion> {
  await changeWebhook(name, context, {
    action: 'webhook.deleted',
    decide: (_, application) => {
      requireWebhook(application, name.webhookId);
      return null;
    },
    also: () => [deleteWebhookStateEntry(name)],
  });
  return { changed: true, complete: true };
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
  const { changed: _, ...view } = await changeWebhook(rotation, context, {
    action: 'webhook.rotated',
    decide: (_, application) => {
      const webhook = requireWebhook(application, rotation.webhookId);
      return { ...webhook, secretId, previousSecretId: webhook.secretId, previousSecretUntil };
    },
  });
  return withSecret(rotation, await getWebhookView(rotation, view), context);
}

function secretIdsOf({ secretId, previousSecretId, previousSecretUntil }: Decided) {
  return { secretId, previousSecretId, previousSecretUntil };
}

/** What a rule sets; the rest is the same for all. */
type Decided = Omit<Webhook, 'version' | 'createdAt' | 'updatedAt' | 'events'> & Pick<Settings, 'events'>;

interface WebhookRule {
  readonly action: 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.deleted';
  /** What to store; `null` to delete. Throws refusals. */
  readonly decide: (current: Webhook | undefined, application: Application) => Decided | null;
  /** What else to write. Default: nothing. */
  readonly also?: (decided: Pick<Decided, 'enabled'>, current: Webhook | undefined) => readonly TransactEntry[];
}

/** The one way to change a webhook, as part of its application; the answer contains no secret. */
async function changeWebhook(
  { appId, webhookId, ifMatch }: WebhookName & Pick<WebhookUpdate, 'ifMatch'>,
  context: RequestContext,
  { action, decide, also = () => [] }: WebhookRule,
): Promise<Changed<WebhookView>> {
  return changeApplication({ appId }, context, {
    decide: (application, at) => {
      const current = webhookOf(application, webhookId);
      if (current !== undefined) requireVersion('webhook', current.version, ifMatch);
      const decided = decide(current, application);
      const [before, after] = [sideOfWebhook(current), sideOfWebhook(decided ?? undefined)];
      const names = Object.keys(after).filter((name) => before[name] !== after[name]);
      if (names.length === 0) return undefined;
      const { [webhookId]: _, ...others } = application.webhooks ?? {};
      const updatedAt = at.toISOString();
      const version = (current?.version ?? 0) + 1;
      const next = decided && { ...decided, version, createdAt: current?.createdAt ?? updatedAt, updatedAt };
      return {
        ...{ action, webhookId, before: only(names, before), after: only(names, after) },
        next: { webhooks: next === null ? others : { ...others, [webhookId]: next } },
        also: also(decided ?? { enabled: false }, current),
      };
    },
    answerOf: ({ application, changed }) => {
      const webhook = webhookOf(application, webhookId);
      return { ...webhookView({ appId, webhookId }, webhook ?? deletedWebhook, undefined), changed };
    },
  });
}

/** The answer to a deletion does not show the webhook. */
const deletedWebhook: Webhook = {
  ...{ url: '', format: 'standard', enabled: false, events: null, offReason: null },
  ...{ secretId: '', previousSecretId: null, previousSecretUntil: null, version: 0, createdAt: '', updatedAt: '' },
};

const none = {
  ...{ url: null, format: null, enabled: null, events: null, offReason: null },
  ...{ secretId: null, previousSecretId: null, previousSecretUntil: null },
};

/** A webhook as its Changes record it; a list is a text, with spaces. */
export function sideOfWebhook(webhook: Decided | undefined): ChangeSide {
  if (webhook === undefined) return none;
  const { offReason, events } = webhook;
  const fields = pickFields(webhookFields, webhook);
  return { ...fields, events: events?.join(' ') ?? null, offReason, ...secretIdsOf(webhook) };
}

function only(names: readonly string[], side: ChangeSide): ChangeSide {
  return Object.fromEntries(names.map((name) => [name, side[name] ?? null]));
}

/** A webhook as operators see it. */
function webhookView({ webhookId }: WebhookName, webhook: Webhook, delivery: WebhookDelivery | undefined): WebhookView {
  const { events, offReason, version, createdAt, updatedAt } = webhook;
  const secrets = secretsOf(webhook, now());
  const settings = { webhookId, ...pickFields(webhookFields, webhook), events: events && [...events] };
  const state = { state: stateOf(webhook, delivery), offReason };
  return { ...settings, ...state, secrets, ...progressOf(delivery), version, createdAt, updatedAt };
}

/** The view after a write, with how far the deliveries are. */
async function getWebhookView(name: WebhookName, view: WebhookView): Promise<WebhookView> {
  const [delivery] = await readWebhookStates([name]);
  return { ...view, state: stateOf(view, delivery), ...progressOf(delivery) };
}

function stateOf(
  { enabled, offReason }: Pick<Webhook, 'enabled' | 'offReason'>,
  delivery: WebhookDelivery | undefined,
): WebhookState {
  if (!enabled) return offReason === null ? 'off' : 'failed';
  return delivery?.lanes.some(({ failures }) => failures > 0) === true ? 'retrying' : 'on';
}

function progressOf(delivery: WebhookDelivery | undefined) {
  const { lanes = [], lastError = null, lastDeliveredAt = null, nextAttemptAt = null } = delivery ?? {};
  const oldest = lanes.flatMap(({ events }) => events.map(({ id }) => id)).sort()[0];
  return {
    failingSince: lanes.flatMap(({ since }) => since ?? []).sort()[0] ?? null,
    ...{ lastError, lastDeliveredAt, nextAttemptAt },
    oldestUndelivered: oldest === undefined ? null : new Date(timeOfUlid(oldest)).toISOString(),
  };
}

/** Adds the secret, derived from its id, so each attempt of the same call returns the same; a dry run has none. */
async function withSecret(
  name: WebhookName,
  { changed: _, ...view }: WebhookView & { readonly changed?: boolean },
  { dryRun = false }: RequestContext,
): Promise<IssuedWebhookView> {
  return { ...view, secret: dryRun ? '' : await formatWebhookSecret(name, view.secrets[0]?.secretId ?? '') };
}
