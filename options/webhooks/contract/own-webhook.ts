import type { Answer, deletionSchema, PageOf } from '#shared/contract/answers.ts';
import { answers, pageQuerySchema } from '#shared/contract/fields.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import type { setWebhookSchema } from './own-webhook-answers.ts';
import { rotateWebhookSecretBodySchema, setWebhookBodySchema } from './webhook.ts';
import type { issuedWebhookSchema, webhookSchema } from './webhook-answers.ts';

export const listOwnWebhooksOperation = {
  name: 'list-own-webhooks',
  method: 'GET',
  path: '/api/service/webhooks',
  scope: 'webhooks:write',
  writes: false,
  query: pageQuerySchema,
  answer: answers<PageOf<typeof webhookSchema>>(),
  errors: [],
} as const satisfies ServiceOperation;

export type SetWebhookView = Answer<typeof setWebhookSchema>;

export const setOwnWebhookOperation = {
  name: 'set-own-webhook',
  method: 'PUT',
  path: '/api/service/webhooks/{webhookId}',
  scope: 'webhooks:write',
  writes: true,
  ifMatch: true,
  body: setWebhookBodySchema,
  answer: answers<typeof setWebhookSchema>(),
  errors: ['too_many_webhooks'],
} as const satisfies ServiceOperation;

export const deleteOwnWebhookOperation = {
  name: 'delete-own-webhook',
  method: 'DELETE',
  path: '/api/service/webhooks/{webhookId}',
  scope: 'webhooks:write',
  writes: true,
  answer: answers<typeof deletionSchema>(),
  errors: ['webhook_not_found'],
} as const satisfies ServiceOperation;

export const rotateOwnWebhookSecretOperation = {
  name: 'rotate-own-webhook-secret',
  method: 'POST',
  path: '/api/service/webhooks/{webhookId}/rotate',
  scope: 'webhooks:write',
  writes: true,
  body: rotateWebhookSecretBodySchema,
  answer: answers<typeof issuedWebhookSchema>(),
  errors: ['webhook_not_found'],
} as const satisfies ServiceOperation;
