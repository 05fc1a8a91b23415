import { queryKeys } from '#dashboard/api/queries.ts';

/** Query keys of webhooks, which begin with that of their application. */
export const webhookKeys = {
  all: (appId: string) => [...queryKeys.application(appId), 'webhooks'],
  one: (appId: string, webhookId: string) => [...webhookKeys.all(appId), webhookId],
  attempts: (appId: string, webhookId: string) => [...webhookKeys.one(appId, webhookId), 'attempts'],
} as const;
