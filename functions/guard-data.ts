import { guardData } from '#lib/releases/guard-run.ts';

/** Refuses a deployment that would lose the table, a root key, the operators' user pool or a signing key. */
export const handler = guardData;
