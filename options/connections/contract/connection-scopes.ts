import { connectionKinds } from '#shared/contract/operation.ts';

/** The scopes that the keys of connections can have. */
export const connectionScopes = Object.values(connectionKinds).flat();
