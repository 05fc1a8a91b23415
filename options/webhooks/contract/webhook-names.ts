import { webhookChangeKinds } from './webhook-change-kinds.ts';
import { webhookFormats } from './webhook-formats.ts';

/** The roots of the secrets of webhooks. */
export const webhookRoots = 'w';

/** The Changes of webhooks, their roots, the values of the setting `webhooks`, and what a repair can find to be wrong with one. */
export const webhookNames = {
  changes: webhookChangeKinds,
  roots: webhookRoots,
  settings: { webhooks: webhookFormats },
  findings: ['webhook-state'],
} as const;
