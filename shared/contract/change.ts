import type { Caller } from './caller.ts';

export const changeActions = [
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
  'key.issued',
  'key.rotated',
  'key.revoked',
] as const;
export type ChangeAction = (typeof changeActions)[number];

/** The record of one accepted change: who, what, before, after, why, when, in which request. */
export interface Change {
  /** A ULID; also deduplicates deliveries. */
  readonly id: string;
  readonly at: string;
  readonly action: ChangeAction;
  readonly appId?: string;
  readonly userId?: string;
  readonly role?: string;
  readonly keyId?: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly sourceIp: string;
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  readonly reason: string | null;
}

/** What stood before or after; carries the `version` of the item, so that a consumer can drop what is older. */
export type ChangeSide = Readonly<Record<string, string | number | boolean | null>>;
