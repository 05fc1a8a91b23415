import type { Access } from './service-contract.ts';

/** The answer about one user of several: the access, or that there is no such user. */
export type CheckedAccess = Access | UnknownUser;

/** An id that no user has. */
export interface UnknownUser {
  readonly userId: string;
  readonly code: 'user_not_found';
}
