import { webhookFollower } from '../delivery/wake-deliveries.ts';
import { webhookPart } from './webhook-part.ts';

/** Webhooks are kept with their application, and woken when its feed goes on. */
export const webhookExtension = { part: webhookPart, follower: webhookFollower } as const;
