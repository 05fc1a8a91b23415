import type { Page } from '#shared/contract/answers.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { pickFields, unsetFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import type { AssignRoleBody } from '#shared/contract/grant.ts';
import type { MemberView } from '#shared/contract/role-members.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { now } from '#shared/core/clock.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { memberOf, readExistingRole } from '#shared/table/items/role-item.ts';
import { readUsers } from '#shared/table/items/user-item.ts';
import { membersRange } from '#shared/table/keys/role-item-keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { type Bulk, changeInBulk } from '../request/in-bulk.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestContext } from '../request/request-context.ts';
import { validateExpiry } from '../request/validate-expiry.ts';
import { assignRole, revokeRole } from './grant-role.ts';

/** The role whose members are listed or changed. */
interface Members {
  readonly appId: AppId;
  readonly role: RoleName;
}

/** The users who hold a role now, ordered by id; a user who is being erased has no name. */
export async function listMembers({ appId, role, ...page }: PageRequest & Members): Promise<Page<MemberView>> {
  await readExistingRole(appId, role);
  const at = now();
  const { items, cursor } = await listPage(membersRange(appId, role), page, (item) => {
    const member = memberOf(item);
    return hasPassed(member.expiresAt, at) ? undefined : member;
  });
  const users = await readUsers(items.map(({ userId }) => userId));
  return {
    items: items.map(({ userId, expiresAt }) => {
      const fields = pickFields(userFields, users.get(userId) ?? unsetFields(userFields));
      return { userId, ...fields, expiresAt };
    }),
    cursor,
  };
}

/** Assigns a role to many users, with the same expiry. */
export async function assignRoleInBulk(
  { appId, role, expiresAt, ...bulk }: Members & Bulk & Pick<AssignRoleBody, 'expiresAt'>,
  context: RequestContext,
): Promise<readonly BulkOutcome[]> {
  const require = async () => {
    validateExpiry('expiresAt', expiresAt);
    await readExistingRole(appId, role);
  };
  const grant = { role, expiresAt };
  return changeInBulk({ ...bulk, require }, context, (userId, part) => assignRole({ userId, appId, grant }, part));
}

/** Revokes a role from many users. */
export async function revokeRoleInBulk(
  { appId, role, ...bulk }: Members & Bulk,
  context: RequestContext,
): Promise<readonly BulkOutcome[]> {
  const require = () => readExistingApplication(appId);
  return changeInBulk({ ...bulk, require }, context, (userId, part) => revokeRole({ userId, appId, role }, part));
}
