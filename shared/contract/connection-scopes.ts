import { connectionKinds } from './operation.ts';

/** The scopes that the keys of connections can have. */
export const connectionScopes = Object.values(connectionKinds).flat();
