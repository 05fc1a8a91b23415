import { exactly } from '#shared/http/exactly.ts';
import type { ManageRuns } from '#shared/http/management/manage-run.ts';
import type { webhookOperations } from '../contract/webhooks-contract.ts';
import { getWebhook, listWebhooks } from './read-webhooks.ts';
import { listWebhookAttempts, resendWebhook, testWebhook } from './webhook-requests.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './webhooks.ts';

/** The implementation of each operation for webhooks of the Management API. */
export const webhookRuns: ManageRuns<typeof webhookOperations.manage> = {
  'create-webhook': ({ path, body }, context) => exactly(createWebhook)({ ...path, ...body }, context),
  'list-webhooks': ({ path, query }, context) => exactly(listWebhooks)({ ...path, ...query }, context),
  'get-webhook': ({ path }) => exactly(getWebhook)(path),
  'update-webhook': ({ path, body, ifMatch }, context) =>
    exactly(updateWebhook)({ ...path, ...body, ifMatch }, context),
  'delete-webhook': ({ path }, context) => exactly(deleteWebhook)(path, context),
  'rotate-webhook-secret': ({ path, body: { overlap: overlapSeconds } }, context) =>
    exactly(rotateWebhookSecret)({ ...path, overlapSeconds }, context),
  'list-webhook-attempts': ({ path, query }) => exactly(listWebhookAttempts)({ ...path, ...query }),
  'resend-webhook': ({ path, body }) => exactly(resendWebhook)({ ...path, ...body }),
  'test-webhook': ({ path }) => exactly(testWebhook)(path),
};
