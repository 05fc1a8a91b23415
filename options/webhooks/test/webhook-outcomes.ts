import { setTimeout as pause } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { pathExamples } from '#shared/contract/examples.ts';
import type { AppId, WebhookId, WebhookName } from '#shared/contract/fields.ts';
import { allNumbered } from '#test/support/all-numbered.ts';
import type { AskOperation } from '#test/support/ask-operation.ts';
import { documentClient } from '#test/support/document-client.ts';
import { eventually } from '#test/support/eventually.ts';
import type { GuardedStack } from '#test/support/guarded-stack.ts';
import { creates, deleted, nowhere, pageOf } from '#test/support/manage-outcomes/prepare.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import type { ManageOutcomes, ServiceOutcomes } from '#test/support/outcomes.ts';
import { operator, type TestService } from '#test/support/start-service.ts';
import { aTimestamp } from '#test/support/view-shapes.ts';
import type { WebhookAttempt } from '../table/webhook-attempt-item.ts';
import { webhookAttemptKey } from '../table/webhook-item-keys.ts';
import { newWebhook, type WebhookOptions } from './new-webhook.ts';
import { startReceiver } from './webhook-receiver.ts';
import { aSecretId, aWebhook, aWebhookSecret } from './webhook-shapes.ts';

const url = 'https://hooks.example.com/access';
const nothing = { ...nowhere, webhookId: 'nothing' };
const queues = { never: 'Each request is sent.' };
const off = { enabled: false, state: 'off' };

async function newPath(options: WebhookOptions = {}) {
  const { appId, webhookId } = await newWebhook(await newApplication(), options);
  return { appId, webhookId };
}

async function tooMany() {
  const appId = await newApplication();
  for (let created = 0; created < 5; created++) await newWebhook(appId);
  return { appId };
}

/** The requests of operators for webhooks. */
function manage() {
  const body = { webhookId: 'backend', url };
  const none = { url: null, format: null, enabled: null, secretId: null };
  const one = { url, format: 'standard', enabled: true, secretId: aSecretId };
  return {
    'create-webhook': {
      done: async () => {
        const appId = await newApplication();
        const [before, after] = [
          { ...none, version: 1 },
          { ...one, version: 2 },
        ];
        return {
          call: { path: { appId }, body },
          status: 201,
          answer: { ...aWebhook(body), secret: aWebhookSecret },
          change: () => ({ action: 'webhook.created', appId, webhookId: 'backend', before, after }),
          again: 409,
        };
      },
      unchanged: creates,
      refused: async () => ({ call: { path: nowhere, body }, status: 404 }),
      'refused, with as many webhooks as it can have': async () => {
        return { call: { path: await tooMany(), body }, status: 409 };
      },
    },
    'list-webhooks': {
      done: async () => {
        const path = await newPath({ enabled: false });
        const answer = pageOf(aWebhook({ webhookId: path.webhookId, ...off }));
        return { call: { path, query: {} }, status: 200, answer };
      },
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'get-webhook': {
      done: async () => {
        const path = await newPath({ enabled: false });
        return { call: { path }, status: 200, answer: aWebhook({ webhookId: path.webhookId, ...off }) };
      },
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'update-webhook': {
      done: async () => {
        const path = await newPath();
        const events = ['role.revoked', 'access.changed'] as const;
        const shown = { webhookId: path.webhookId, ...off, events: ['access.changed', 'role.revoked'], version: 2 };
        return {
          call: { path, body: { events, enabled: false } },
          status: 200,
          answer: { ...aWebhook(shown), changed: true },
          change: () => ({
            action: 'webhook.updated',
            ...path,
            before: { enabled: true, events: null, version: 2 },
            after: { enabled: false, events: 'access.changed role.revoked', version: 3 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: await newPath(), body: { enabled: true } }, status: 200 }),
      refused: async () => ({ call: { path: nothing, body: { enabled: false } }, status: 404 }),
    },
    'delete-webhook': {
      done: async () => {
        const path = await newPath();
        const [before, after] = [
          { ...one, version: 2 },
          { ...none, version: 3 },
        ];
        const change = () => ({ action: 'webhook.deleted', ...path, before, after });
        return { call: { path }, status: 200, answer: deleted, change };
      },
      unchanged: { never: 'A webhook that is deleted is not found.' },
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'rotate-webhook-secret': {
      done: async () => {
        const path = await newPath({ enabled: false });
        const secrets = [null, aTimestamp].map((expiresAt) => ({ secretId: aSecretId, expiresAt }));
        const before = { secretId: aSecretId, previousSecretId: null, previousSecretUntil: null, version: 2 };
        const after = { secretId: aSecretId, previousSecretId: aSecretId, previousSecretUntil: aTimestamp, version: 3 };
        return {
          call: { path, body: { overlap: 'PT1H' } },
          status: 201,
          answer: { ...aWebhook({ webhookId: path.webhookId, ...off, secrets, version: 2 }), secret: aWebhookSecret },
          change: () => ({ action: 'webhook.rotated', ...path, before, after }),
        };
      },
      unchanged: creates,
      refused: async () => ({ call: { path: nothing, body: { overlap: 'PT1H' } }, status: 404 }),
    },
    'list-webhook-attempts': {
      done: async () => ({
        call: { path: await newPath({ enabled: false }), query: {} },
        status: 200,
        answer: pageOf(),
      }),
      refused: async () => ({ call: { path: nothing, query: {} }, status: 404 }),
    },
    'resend-webhook': {
      done: async () => {
        const call = { path: await newPath({ enabled: false }), body: { since: '2026-01-01T00:00:00Z' } };
        return { call, status: 200, answer: { queued: true } };
      },
      unchanged: queues,
      refused: async () => {
        return { call: { path: await newPath(), body: { changeId: '0'.repeat(26) } }, status: 404 };
      },
    },
    'test-webhook': {
      done: async () => ({ call: { path: await newPath({ enabled: false }) }, status: 200, answer: { queued: true } }),
      unchanged: queues,
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}

/** A webhook of the application that is on; each outcome has its own, and together they are as many as it can have. */
async function ownWebhook(id: string) {
  const { setWebhook } = await import('../server/webhooks.ts');
  const name = { appId: 'billing' as AppId, webhookId: id as WebhookId };
  await setWebhook({ ...name, url, events: null, format: 'standard', enabled: true }, operator);
  return { path: { webhookId: id } };
}

async function noWebhook(id: string) {
  const { path } = await ownWebhook(id);
  const { deleteWebhook } = await import('../server/webhooks.ts');
  await deleteWebhook({ appId: 'billing' as AppId, webhookId: id as WebhookId }, operator);
  return { path };
}

/** The requests of applications for their webhooks. */
function service() {
  return {
    'set-own-webhook': {
      done: async () => ({ call: { ...(await noWebhook('new')), body: { url } }, status: 200 }),
      'done for a webhook that is on': async () => ({
        call: { ...(await ownWebhook('on')), body: { url, enabled: false } },
        status: 200,
      }),
      unchanged: async () => ({ call: { ...(await ownWebhook('unchanged')), body: { url } }, status: 200 }),
      refused: { never: 'Any application may have webhooks; too many are refused, which another test shows.' },
    },
    'rotate-own-webhook-secret': {
      done: async () => ({ call: { ...(await ownWebhook('rotated')), body: { overlap: 'PT1H' } }, status: 200 }),
      unchanged: { never: 'Each rotation makes a new secret.' },
      refused: async () => ({ call: { path: { webhookId: 'nothing' }, body: { overlap: 'PT1H' } }, status: 404 }),
    },
    'delete-own-webhook': {
      done: async () => ({ call: await ownWebhook('deleted'), status: 200 }),
      unchanged: { never: 'A webhook that does not exist is refused.' },
      refused: async () => ({ call: { path: { webhookId: 'nothing' } }, status: 404 }),
    },
  } satisfies Partial<ServiceOutcomes>;
}

/**
 * Delivers blocks to a receiver that accepts them, sends a test, and turns off a webhook whose receiver is gone. The receiver takes
 * so long that sending everything again takes more than one invocation.
 */
async function play(stack: GuardedStack, ask: AskOperation): Promise<void> {
  const receiver = await startReceiver();
  receiver.answer = async ({ raw }) => {
    if (raw.startsWith('{')) return 410;
    // Together, three take longer than one invocation has for sending.
    await pause(5000);
    return 202;
  };
  const [appId, userId] = [await newApplication(), await newUser()];
  const ids = { standard: 'gone', set: 'events' } as const;
  for (const format of ['standard', 'set'] as const) {
    const body = { webhookId: ids[format], url: receiver.url, format, events: ['access.changed'] as const };
    await ask('create-webhook', { path: { appId }, body });
    await ask('test-webhook', { path: { appId, webhookId: ids[format] } });
  }
  for (const status of ['disabled', 'enabled', 'disabled'] as const) {
    await ask('set-user-access', { path: { userId, appId }, body: { status, reason: 'left' } });
  }
  const stateOf = async (webhookId: string) => (await ask('get-webhook', { path: { appId, webhookId } })).body;
  // It turns off what a delivery has noted, once one has.
  const wake = () => stack.invoke('wake-webhooks', {});
  await eventually(
    () => wake().then(() => stateOf(ids.standard)),
    ({ state }) => state === 'failed',
  );
  await eventually(
    () => stateOf(ids.set),
    ({ lastDeliveredAt }) => lastDeliveredAt !== null,
  );
  await ask('resend-webhook', { path: { appId, webhookId: ids.set }, body: { since: '2026-01-01T00:00:00Z' } });
  await eventually(
    async () => stack.touches.filter(({ name }) => name === 'deliver-webhook'),
    (touches) => touches.some(({ authorization }) => authorization.action === 'lambda:InvokeFunction'),
  );
  await fetch(new URL('/.well-known/jwks.json', stack.url));
  await receiver.close();
}

function problems(ask: AskOperation) {
  const body = { webhookId: 'sixth', url };
  return {
    webhook_not_found: () => ask('get-webhook', { path: { appId: 'billing', webhookId: 'nothing' } }),
    too_many_webhooks: async () => ask('create-webhook', { path: await tooMany(), body }),
  };
}

const viewer = ['list-webhooks', 'get-webhook', 'list-webhook-attempts'];
const admin = [
  'create-webhook',
  'update-webhook',
  'delete-webhook',
  'rotate-webhook-secret',
  'resend-webhook',
  'test-webhook',
];

const examples = [
  'create-webhook',
  ...viewer,
  'resend-webhook',
  'test-webhook',
  'update-webhook',
  'rotate-webhook-secret',
  'delete-webhook',
  'set-own-webhook',
  'list-own-webhooks',
  'rotate-own-webhook-secret',
  'delete-own-webhook',
];

/**
 * Puts an attempt into the list of the webhook, as a delivery does. A new webhook would also be sent the changes before it that get
 * their numbers after it.
 */
async function prepareExample(service: Pick<TestService, 'endpoint'>, name: string, shown: object): Promise<void> {
  if (name === 'create-webhook' || name === 'set-own-webhook') await allNumbered(service);
  if (name !== 'list-webhook-attempts') return;
  const { items } = shown as { readonly items: readonly [WebhookAttempt] };
  const { appId, webhookId } = pathExamples;
  const key = webhookAttemptKey({ appId, webhookId } as WebhookName, items[0].attemptId);
  await documentClient(service.endpoint).send(
    new PutCommand({ TableName: process.env.TABLE_NAME, Item: { ...key, ...items[0] } }),
  );
}

/** What webhooks add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  manage,
  service,
  play,
  problems,
  allowed: { viewer, admin },
  examples,
  prepareExample,
};
