import * as v from 'valibot';
import { changedSchema, extendedSchema } from '#shared/contract/answers.ts';
import { webhookSchema } from './webhook-answers.ts';

/** The webhook after it was set; only the answer to its creation has a secret. */
export const setWebhookSchema = extendedSchema(changedSchema(webhookSchema), { secret: v.nullable(v.string()) });
