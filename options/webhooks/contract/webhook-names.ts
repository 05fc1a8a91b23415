import { webhookChangeKinds } from './webhook-change-kinds.ts';
import { webhookFormats } from './webhook-formats.ts';

/** The Changes of webhooks, and the values of the setting `webhooks`. */
export const webhookNames = { changes: webhookChangeKinds, settings: { webhooks: webhookFormats } } as const;
