import { expect } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import type { ManageOperationName, ManageOperations } from '#shared/contract/operations.ts';
import { grantRole, newApplication, setStatus } from '../new-application.ts';
import { newUser } from '../new-user.ts';
import type { Never } from '../outcomes.ts';
import type { Answer } from '../send-request.ts';
import { operator } from '../start-service.ts';
import { anAccess, aTimestamp } from '../view-shapes.ts';

/** Sends a request to the Management API as an admin. */
export type AskManage = <Name extends ManageOperationName>(
  name: Name,
  call: OperationRequest<ManageOperations[Name]>,
) => Promise<Answer>;

export const reads: Never = { never: 'It reads and writes nothing.' };
export const creates: Never = { never: 'Each request creates another one, or is refused.' };
export const anything: Never = { never: 'It does not refuse unknown names.' };

export const nowhere = { appId: 'nowhere' };
export const nobody = { userId: 'nobody' };

let created = 0;
/** Returns an id that is not taken. */
export const fresh = () => `fresh-${++created}`;

/** Creates a user with a role and a block in a separate application. */
export async function newMember(ofApplication?: string) {
  const [appId, userId] = [await newApplication(['editor', 'viewer'], ofApplication), await newUser()];
  await grantRole(userId, appId, 'editor');
  await setStatus(userId, appId, 'disabled');
  return { appId, userId, role: 'editor' };
}

/** What a member's access shows: the role, and the block. */
export function accessOfMember({ appId, userId }: { readonly appId: string; readonly userId: string }) {
  const blocked = { status: 'disabled', explicit: true, reason: 'a reason', effectiveStatus: 'disabled' };
  const roles = [{ name: 'editor', expiresAt: null }];
  return anAccess({ appId, userId, ...blocked, decidedBy: 'explicit', roles, version: 2, updatedAt: aTimestamp });
}

export const noName = { displayName: null, email: null };
/** What the preparation of a request records as the origin of a setting. */
export const setByTests = (reason: string | null) => ({
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'test' },
  changeId: aUlid,
  at: aTimestamp,
  reason,
  ticket: null,
  bulkId: null,
});
export const aUlid = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
export const pageOf = (...items: unknown[]) => ({ items, cursor: null });
export const deleted = { changed: true, complete: true };
/** Why, as in the body of a request and in its Change. */
export const why = { reason: 'project ended', ticket: 'INC-1234' };

/** What the Change of an access says of a user for whom nothing was set. */
export const notSet = { status: 'enabled', explicit: false, until: null, reason: null };
export const notGranted = { granted: false, expiresAt: null };
export const isGranted = { granted: true, expiresAt: null };

export async function setInactive(userId: string): Promise<void> {
  const { setUserStatus } = await import('#shared/domain/user/users.ts');
  await setUserStatus({ userId: userId as UserId, status: 'inactive', reason: null }, operator);
}

export async function eraseUser(userId: string): Promise<void> {
  const { deleteUser } = await import('#shared/domain/user/delete-user.ts');
  await deleteUser({ userId: userId as UserId }, operator);
}
