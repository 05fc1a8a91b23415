import type { UserId } from '#shared/contract/fields.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import type { ManageOperationName, ManageOperations } from '#shared/contract/operations.ts';
import { grantRole, newApplication, setStatus } from '../new-application.ts';
import { newUser } from '../new-user.ts';
import type { Never } from '../outcomes.ts';
import type { Answer } from '../send-request.ts';
import { operator } from '../start-service.ts';

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
export async function newMember() {
  const [appId, userId] = [await newApplication(['editor', 'viewer']), await newUser()];
  await grantRole(userId, appId, 'editor');
  await setStatus(userId, appId, 'disabled');
  return { appId, userId, role: 'editor' };
}

export async function setInactive(userId: string): Promise<void> {
  const { setUserStatus } = await import('#shared/domain/user/users.ts');
  await setUserStatus({ userId: userId as UserId, status: 'inactive', reason: null }, operator);
}

export async function eraseUser(userId: string): Promise<void> {
  const { deleteUser } = await import('#shared/domain/user/delete-user.ts');
  await deleteUser({ userId: userId as UserId }, operator);
}
