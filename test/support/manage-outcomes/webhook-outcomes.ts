import { newApplication } from '../new-application.ts';
import { newWebhook } from '../new-webhook.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { creates, nowhere } from './prepare.ts';

const nothing = { ...nowhere, webhookId: 'nothing' };
const queues = { never: 'Each request is sent.' };

async function newPath() {
  const { appId, webhookId } = await newWebhook(await newApplication());
  return { appId, webhookId };
}

/** The requests for webhooks. */
export function webhookOutcomes() {
  const body = { webhookId: 'backend', url: 'https://hooks.example.com/access' };
  return {
    'create-webhook': {
      done: async () => ({ call: { path: { appId: await newApplication() }, body }, status: 201 }),
      unchanged: creates,
      refused: async () => ({ call: { path: nowhere, body }, status: 404 }),
    },
    'list-webhooks': {
      done: async () => ({ call: { path: await newPath(), query: {} }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'get-webhook': {
      done: async () => ({ call: { path: await newPath() }, status: 200 }),
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'update-webhook': {
      done: async () => ({ call: { path: await newPath(), body: { enabled: false } }, status: 200 }),
      unchanged: async () => ({ call: { path: await newPath(), body: { enabled: true } }, status: 200 }),
      refused: async () => ({ call: { path: nothing, body: { enabled: false } }, status: 404 }),
    },
    'delete-webhook': {
      done: async () => ({ call: { path: await newPath() }, status: 200 }),
      unchanged: { never: 'A webhook that is deleted is not found.' },
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'rotate-webhook-secret': {
      done: async () => ({ call: { path: await newPath(), body: { overlap: 'PT1H' } }, status: 201 }),
      unchanged: creates,
      refused: async () => ({ call: { path: nothing, body: { overlap: 'PT1H' } }, status: 404 }),
    },
    'list-webhook-attempts': {
      done: async () => ({ call: { path: await newPath(), query: {} }, status: 200 }),
      refused: async () => ({ call: { path: nothing, query: {} }, status: 404 }),
    },
    'resend-webhook': {
      done: async () => ({ call: { path: await newPath(), body: { since: '2026-01-01T00:00:00Z' } }, status: 200 }),
      unchanged: queues,
      refused: async () => {
        return { call: { path: await newPath(), body: { changeId: '0'.repeat(26) } }, status: 404 };
      },
    },
    'test-webhook': {
      done: async () => ({ call: { path: await newPath() }, status: 200 }),
      unchanged: queues,
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
