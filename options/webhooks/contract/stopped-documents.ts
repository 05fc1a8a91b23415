import * as v from 'valibot';
import type { AddedMembers } from '#shared/contract/added-members.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import { appIdSchema, webhookIdSchema } from '#shared/contract/fields.ts';

const stoppedWebhookSchema = v.object({ appId: appIdSchema, name: v.string(), webhookId: webhookIdSchema });
describeMembers(stoppedWebhookSchema.entries, { name: 'The name of the application.' });

const entries = { webhooksStopped: v.array(stoppedWebhookSchema) };
describeMembers(entries, {
  webhooksStopped: 'Webhooks that turned themselves off because their receivers failed, at most ten.',
});

/** The document of what the overview says of webhooks. */
export const stoppedDocuments: AddedMembers = { entries, example: { webhooksStopped: [] } };
