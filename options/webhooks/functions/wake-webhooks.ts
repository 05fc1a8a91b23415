import { wakeWebhooks } from '../delivery/wake-deliveries.ts';

/**
 * Wakes all webhooks. Invoked when changes of users have got their numbers, and by EventBridge each minute, for retries and for what
 * was not woken by its change.
 */
export function handler(): Promise<void> {
  return wakeWebhooks();
}
