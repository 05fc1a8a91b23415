import { webhookChangeKinds } from './webhook-change-kinds.ts';
import { webhookFormats } from './webhook-formats.ts';

/** The Changes of webhooks, the values of the setting `webhooks`, and what a repair can find to be wrong with one. */
export const webhookNames = {
  changes: webhookChangeKinds,
  settings: { webhooks: webhookFormats },
  findings: ['webhook-state'],
} as const;
