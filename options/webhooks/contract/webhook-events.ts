import * as v from 'valibot';
import { applicationActions } from '#shared/contract/change-actions.ts';

/** The kinds of changes in the feed of an application. */
export const webhookEvents = applicationActions.filter((action) => action !== 'user.updated');

/** The type of the event that only tests a webhook. */
export const testEventType = 'webhook.test';

/** One of them, in an answer or a body. */
export const webhookEventSchema = v.picklist(webhookEvents, 'must be actions of the feed, such as access.changed');
