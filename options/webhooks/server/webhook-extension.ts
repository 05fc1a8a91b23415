import { webhookFollower } from '../delivery/wake-deliveries.ts';
import { stoppedWebhooks } from './find-stopped.ts';
import { webhookPart } from './webhook-part.ts';

/** Webhooks are kept with their application, and woken when its feed goes on; those that have stopped are named on the overview. */
export const webhookExtension = { part: webhookPart, follower: webhookFollower, overview: stoppedWebhooks } as const;
