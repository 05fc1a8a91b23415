import { connectionRoots } from './connection-names.ts';

/** What an endpoint requires that answers questions about accesses, and what it reads for that. */
export const evaluation = {
  kind: 'evaluate',
  scope: 'access:read',
  tokenRoots: connectionRoots,
  use: { reads: ['connection', 'application', 'user', 'format'], keyOwner: 'connection' },
} as const;
