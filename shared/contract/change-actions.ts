import { optionActions, optionOperatorActions } from './option-changes.ts';

/** What an application can read about itself and about users. */
export const applicationActions = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.status.changed',
  'access.changed',
  'role.assigned',
  'role.revoked',
  'role.defined',
  'role.deleted',
  'application.created',
  'application.updated',
  'application.deleted',
  'application.reviewed',
  'key.issued',
  'key.updated',
  'key.rotated',
  'key.revoked',
  ...optionActions,
] as const;

/** The kinds of changes. */
export const changeActions = [...applicationActions, ...optionOperatorActions] as const;

/**
 * The changes of a user that every application reads in its feed: all but those of names and e-mail addresses. It includes a
 * creation only if an earlier user with the same id was erased.
 */
export const userActionsForAll = [
  'user.status.changed',
  'user.deleted',
  'user.created',
] as const satisfies readonly (typeof changeActions)[number][];
