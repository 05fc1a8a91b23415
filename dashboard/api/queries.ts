import { QueryClient } from '@tanstack/react-query';

/** The cache of what the Management API answered. It holds only what is on the screen. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // An earlier answer would show a switch as it was, and its version would be refused.
        gcTime: 0,
        // The operator decides: every problem offers to try again.
        retry: false,
        // Reading anew by itself would replace the version that the operator saw, and hide a conflict.
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      // The answer to issuing a key holds its secret. A write must never wait for the network and be sent later.
      mutations: { gcTime: 0, networkMode: 'always' },
    },
  });
}

/** The keys of the cache. A key covers all that begin with it: invalidating a user reads all about that user again. */
export const queryKeys = {
  users: ['users'],
  user: (userId: string) => ['user', userId],
  userAccess: (userId: string) => ['user', userId, 'access'],
  userChanges: (userId: string) => ['user', userId, 'changes'],
  applications: ['applications'],
  application: (appId: string) => ['application', appId],
  applicationKeys: (appId: string) => ['application', appId, 'keys'],
  applicationRoles: (appId: string) => ['application', appId, 'roles'],
  roleMembers: (appId: string, role: string) => ['application', appId, 'members', role],
  applicationUsers: (appId: string) => ['application', appId, 'users'],
  applicationChanges: (appId: string) => ['application', appId, 'changes'],
} as const;
