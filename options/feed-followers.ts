/** What the options wake when a feed has new numbers. */
export { webhookFollower } from './webhooks/delivery/wake-deliveries.ts';
