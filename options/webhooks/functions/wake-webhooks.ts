import type { Context } from 'aws-lambda';
import { turnOffNoted } from '../delivery/turn-off-webhooks.ts';
import { wakeEach } from '../delivery/wake-deliveries.ts';
import { readEnabledWebhooks } from '../table/webhook-state-item.ts';

/**
 * Turns off the webhooks whose receivers accept nothing any more, and wakes all others. Invoked when changes of users have got their
 * numbers, and by EventBridge each minute, for retries and for what was not woken by its change.
 */
export async function handler(_: unknown, { awsRequestId }: Pick<Context, 'awsRequestId'>): Promise<void> {
  await wakeEach(await turnOffNoted(await readEnabledWebhooks(), awsRequestId));
}
