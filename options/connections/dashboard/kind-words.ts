import type { ConnectionKind } from '#shared/contract/operation.ts';

/** The name of each kind of connections. */
export const kindWords: Readonly<Record<ConnectionKind, string>> = { evaluate: 'Gateway', scim: 'Directory' };
