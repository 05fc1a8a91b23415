import { connectionChangeKinds } from './connection-change-kinds.ts';

/** The Changes of connections. */
export const connectionNames = { changes: connectionChangeKinds } as const;
