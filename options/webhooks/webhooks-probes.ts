import type { OptionProbes } from '#smoke/option-probes.ts';
import { type ManageProbes, requireEqual, requireItem, type ServiceProbes, type Trial } from '#smoke/trial.ts';
import { testEventType } from './contract/webhook-events.ts';
import type { webhookOperations } from './contract/webhooks-contract.ts';

const webhook = ({ appId }: Trial) => ({ path: { appId, webhookId: 'smoke' } });
const ownWebhook = { path: { webhookId: 'smoke-own' } };

type OwnProbes = Required<Pick<ServiceProbes, keyof typeof webhookOperations.service>>;

/** No changes are delivered, and a test event goes to a name that never exists (RFC 6761 section 6.4). */
const preparation: Omit<ManageProbes<keyof typeof webhookOperations.manage>, 'delete-webhook'> = {
  'create-webhook': {
    request: ({ appId }) => ({
      path: { appId },
      body: { webhookId: 'smoke', url: 'https://smoke.invalid/', enabled: false },
    }),
    check: ({ secret }) => requireEqual('secret', secret.startsWith('whsec_'), true),
  },
  'list-webhooks': {
    request: ({ appId }) => ({ path: { appId }, query: { limit: 1 } }),
    check: ({ items }) => requireEqual('items', items.length, 1),
  },
  'get-webhook': { request: webhook, check: ({ state }) => requireEqual('state', state, 'off') },
  'update-webhook': {
    request: (trial) => ({ ...webhook(trial), body: { events: ['access.changed'] } }),
    check: ({ changed }) => requireEqual('changed', changed, true),
  },
  'rotate-webhook-secret': {
    request: (trial) => ({ ...webhook(trial), body: { overlap: 'PT10M' } }),
    check: ({ secrets }) => requireEqual('secrets', secrets.length, 2),
  },
  'resend-webhook': {
    request: (trial) => ({ ...webhook(trial), body: { since: new Date().toISOString() } }),
    check: ({ queued }) => requireEqual('queued', typeof queued, 'boolean'),
  },
  'test-webhook': {
    request: webhook,
    check: ({ queued }, trial) => {
      if (queued) delivering.add(trial);
      return queued ? undefined : 'this deployment delivers no webhooks';
    },
  },
  // The retry of each minute delivers what a lost request to deliver has left.
  'list-webhook-attempts': {
    request: webhook,
    check: ({ items }, trial) => {
      if (!delivering.has(trial)) return requireEqual('items', items.length, 0);
      const { status, error } = requireItem('the test event', items, ({ type }) => type === testEventType);
      requireEqual('status', status, null);
      return `there is no such receiver: ${error}`;
    },
    withinSeconds: 75,
  },
};

/** The runs against deployments that deliver webhooks. */
const delivering = new WeakSet<Trial>();

const operation: Partial<ManageProbes> = {
  'delete-webhook': { request: webhook, check: ({ complete }) => requireEqual('complete', complete, true) },
};

const service: OwnProbes = {
  'set-own-webhook': {
    request: () => ({ ...ownWebhook, body: { url: 'https://smoke.invalid/', enabled: false } }),
    check: ({ changed, secret }) => {
      requireEqual('changed', changed, true);
      requireEqual('the start of the secret', secret?.slice(0, 6), 'whsec_');
      return undefined;
    },
  },
  'list-own-webhooks': {
    request: () => ({}),
    check: ({ items }) => {
      requireItem('the webhook', items, ({ webhookId }) => webhookId === ownWebhook.path.webhookId);
      return undefined;
    },
  },
  'rotate-own-webhook-secret': {
    request: () => ({ ...ownWebhook, body: { overlap: 'PT0S' } }),
    check: ({ secrets }) => {
      requireEqual('secrets', secrets.length, 1);
      return undefined;
    },
  },
  'delete-own-webhook': {
    request: () => ownWebhook,
    check: ({ complete }) => {
      requireEqual('complete', complete, true);
      return undefined;
    },
  },
};

/** What webhooks add to the smoke test. */
export const webhookProbes: OptionProbes = { preparation, operation, service };
