import { queryKeys } from '#dashboard/api/queries.ts';

/** Query keys of a login and an account, which begin with that of the application or the user. */
export const loginKeys = {
  login: (appId: string) => [...queryKeys.application(appId), 'login'],
  account: (userId: string) => [...queryKeys.user(userId), 'account'],
} as const;

/** How often what the provider is about to do is looked for. */
export const pollMilliseconds = 3000;
