import { connectionChangeKinds } from './connection-change-kinds.ts';

/** The roots of the tokens of connections. */
export const connectionRoots = 'c';

/** The Changes of connections, and the roots of their tokens. */
export const connectionNames = { changes: connectionChangeKinds, roots: connectionRoots } as const;
