import type { WebhookEvent } from '../contract/webhook.ts';

/** When each event is sent; those of other options say it with their labels. */
export const webhookEventMeanings: Readonly<Partial<Record<WebhookEvent, string>>> = {
  'user.created': 'A user whose ID belonged to an erased user was created again.',
  'user.deleted': 'A user was erased.',
  'user.status.changed': 'A user was deactivated or reactivated in all applications.',
  'access.changed': 'A user was allowed or blocked in the application.',
  'role.assigned': 'A user got a role, or the role got another end.',
  'role.revoked': 'A user lost a role.',
  'role.defined': 'A role was defined, or its description changed.',
  'role.deleted': 'A role was deleted, and with it removed from all users.',
  'application.created': 'The application was created.',
  'application.updated': 'A setting of the application changed, such as its rollout, which can shut users out.',
  'application.deleted': 'The application was deleted.',
  'application.reviewed': 'The access of all users was reviewed.',
  'key.issued': 'An API key was issued.',
  'key.updated': 'The label of an API key changed.',
  'key.rotated': 'An API key was replaced by a new one.',
  'key.revoked': 'An API key was revoked.',
  'webhook.created': 'A webhook was created.',
  'webhook.updated': 'A webhook was changed, paused, resumed or stopped.',
  'webhook.rotated': 'The secret of a webhook was replaced.',
  'webhook.deleted': 'A webhook was deleted.',
};
