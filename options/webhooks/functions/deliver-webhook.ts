import type { Context } from 'aws-lambda';
import type { WebhookName } from '#shared/contract/fields.ts';
import { sendToFunction } from '#shared/core/call-aws.ts';
import { now } from '#shared/core/clock.ts';
import { deliverWebhook } from '../delivery/webhook-deliverer.ts';

/** Invoked for one webhook that may have something to deliver, and by this function itself if a run takes longer than an invocation. */
export async function handler(name: WebhookName, context: Context): Promise<void> {
  const endsAt = now().getTime() + context.getRemainingTimeInMillis();
  const isCut = await deliverWebhook(name, { endsAt });
  if (isCut) await sendToFunction(context.invokedFunctionArn, name);
}
