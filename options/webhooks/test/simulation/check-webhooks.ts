import { createHmac } from 'node:crypto';
import type { Run } from '#test/simulation/run-seed.ts';
import { applicationKey, isInFeed, isLive } from '#test/simulation/stored-state.ts';
import { webhookLaneOf, webhookRequestOf, webhookStateOf, webhooksOf } from './stored-webhooks.ts';
import { type Hook, type Receipt, Webhooks } from './webhook-world.ts';

const testType = 'webhook.test';

/**
 * Checks that receivers get the changes of the feed, signed, those of each user in their order, and in the end every change that
 * is kept; and that nothing waits then.
 */
export function checkWebhooks(run: Run): string[] {
  const hooks = run.actors.flatMap((actor) => (actor instanceof Webhooks ? actor.hooks : []));
  return hooks.flatMap((hook) => [
    ...foreign(hook, run),
    ...outOfOrder(hook, run),
    ...(isKept(hook, run) ? [...missed(hook, run), ...waiting(hook, run)] : []),
  ]);
}

const changesOf = ({ receipts }: Hook) => receipts.filter(({ type }) => type !== testType);

/** What is no change of the feed, or not signed. */
function foreign(hook: Hook, { changes }: Run): string[] {
  const made = new Map(changes.map(({ change }) => [change.id, change]));
  const isFeedOf = ({ eventId, type, userId }: Receipt) => {
    const change = made.get(eventId);
    const isSame = change?.action === type && change.userId === userId;
    return isSame && (change.appId === undefined || change.appId === hook.appId);
  };
  const wrong = changesOf(hook).filter((receipt) => !isFeedOf(receipt));
  const unsigned = hook.lacksSecret ? [] : hook.receipts.filter((receipt) => !isSignedBy(hook.secrets, receipt));
  return [
    ...wrong.map(({ eventId, type }) => `${hook.webhookId} got ${eventId} ${type}, which is not in its feed`),
    ...unsigned.map(({ eventId }) => `${hook.webhookId} got ${eventId} without a signature of its secret`),
  ];
}

/**
 * Whether a delivery is signed with one of the secrets, as Standard Webhooks 1.0.0 says. A new one signs before the answer that
 * contains it has arrived.
 */
function isSignedBy(secrets: readonly string[], { headers, body }: Receipt): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signatures = String(headers['webhook-signature']).split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return signatures.includes(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
  });
}

/** The changes since the webhook was created; earlier ones come only if an operator asks for them. */
function changesSince({ webhookId }: Hook, { changes }: Run): Run['changes'] {
  return changes.slice(changes.findIndex(({ change }) => change.webhookId === webhookId) + 1);
}

/** What a receiver got before an earlier change of the same user was accepted. */
function outOfOrder(hook: Hook, run: Run): string[] {
  const due = new Set(changesSince(hook, run).map(({ change }) => change.id));
  const accepted = new Set<string>();
  const latest = new Map<string, string>();
  return changesOf(hook).flatMap(({ eventId, userId, isAccepted }) => {
    if (userId === undefined || !due.has(eventId)) return [];
    const last = latest.get(userId) ?? '';
    const isLate = eventId < last && !accepted.has(eventId);
    if (isAccepted) accepted.add(eventId);
    if (eventId > last) latest.set(userId, eventId);
    return isLate ? [`${hook.webhookId} got ${eventId} of ${userId} after ${last}`] : [];
  });
}

/** Whether the webhook is there at the end, in the application for which it was created. */
function isKept({ appId, webhookId }: Hook, { items }: Run): boolean {
  const { pk, sk } = applicationKey(appId);
  const application = items.find((item) => item.pk === pk && item.sk === sk);
  return application !== undefined && isLive(application) && webhooksOf(application).includes(webhookId);
}

function missed(hook: Hook, run: Run): string[] {
  const { events } = hook;
  const accepted = new Set(hook.receipts.filter(({ isAccepted }) => isAccepted).map(({ eventId }) => eventId));
  const kept = new Map(run.items.map((item) => [item.id, item]));
  return changesSince(hook, run)
    .filter(({ change }) => {
      const item = kept.get(change.id);
      return item !== undefined && isInFeed(item, hook.appId);
    })
    .filter(({ change: { action } }) => events === null || events.includes(action))
    .filter(({ change }) => !accepted.has(change.id))
    .map(({ change: { id, action, requestId } }) => `${hook.webhookId} never got ${id} ${action} of ${requestId}`);
}

/** What was not sent, or not answered, although nothing fails any more. */
function waiting({ appId, webhookId }: Hook, { items }: Run): string[] {
  const isOwn = (one: { readonly appId: string; readonly webhookId: string }) =>
    one.appId === appId && one.webhookId === webhookId;
  const [state] = items.flatMap((item) => webhookStateOf(item) ?? []).filter(isOwn);
  const lanes = items.flatMap((item) => webhookLaneOf(item) ?? []).filter(isOwn);
  const requests = items.flatMap((item) => webhookRequestOf(item) ?? []).filter(isOwn);
  return [
    ...lanes
      .filter(({ deliveryId }) => deliveryId === state?.deliveryId)
      .map(({ events }) => `${webhookId} still waits with ${JSON.stringify(events)}`),
    ...requests.map(({ sk }) => `${webhookId} has never answered ${sk}`),
  ];
}
