import { log, publishMetrics } from '#shared/core/telemetry.ts';
import type { Item } from '../client.ts';

/**
 * Reports an item that somebody other than the service wrote to the table, and that is skipped. Not logged: the partition key,
 * which contains the user id, which may be an e-mail address.
 */
export function reportUnreadable({ sk }: Item): void {
  publishMetrics({ UnreadableItems: 1 });
  log.error('An item of the table cannot be read, and is skipped', { sk: String(sk) });
}
