import { QueryClient } from '@tanstack/react-query';

/** Creates the cache of the Management API's responses. It keeps only data that is on the screen. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A cached response would show an outdated switch with a version that the service rejects.
        gcTime: 0,
        // Every error has a button to retry.
        retry: false,
        // An automatic reload would replace the version that the operator saw and hide a conflict.
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      // The response to issuing a key contains its secret. A write must never be queued while offline and sent later.
      mutations: { gcTime: 0, networkMode: 'always' },
    },
  });
}

/** Query keys. Invalidating a key covers all keys that begin with it, such as everything about one user. */
export const queryKeys = {
  operator: ['operator'],
  users: ['users'],
  user: (userId: string) => ['user', userId],
  userAccess: (userId: string) => ['user', userId, 'access'],
  userChanges: (userId: string) => ['user', userId, 'changes'],
  applications: ['applications'],
  keys: ['keys'],
  everyApplication: ['application'],
  application: (appId: string) => ['application', appId],
  applicationKeys: (appId: string) => ['application', appId, 'keys'],
  applicationRoles: (appId: string) => ['application', appId, 'roles'],
  roleMembers: (appId: string, role: string) => ['application', appId, 'members', role],
  applicationUsers: (appId: string) => ['application', appId, 'users'],
  changes: ['changes'],
  applicationChanges: (appId: string) => ['application', appId, 'changes'],
} as const;
