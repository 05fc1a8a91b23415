import { wakeWebhooks } from '../delivery/wake-deliveries.ts';

/** Invoked by EventBridge each minute, for retries and for what was not woken by its change. */
export function handler(): Promise<void> {
  return wakeWebhooks();
}
