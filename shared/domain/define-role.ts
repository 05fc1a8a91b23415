import type { AppId, RoleName } from '#shared/contract/ids.ts';
import { now } from '#shared/core/clock.ts';
import { readApplication } from '#shared/table/application.ts';
import { createRoleEntry, type Role } from '#shared/table/role.ts';
import { createWithRecord } from './create-with-record.ts';
import { presentApplication } from './present-application.ts';
import type { RequestContext } from './request-context.ts';

export interface NewRole {
  readonly appId: AppId;
  readonly role: RoleName;
  readonly description: string | null;
}

/** Defines a role in an application, so that it can be assigned; 409 if it is defined. */
export async function defineRole(wanted: NewRole, context: RequestContext): Promise<Role> {
  presentApplication(await readApplication(wanted.appId));
  const at = now().toISOString();
  const role: Role = { ...wanted, version: 1, createdAt: at, updatedAt: at };
  await createWithRecord(createRoleEntry(role), context, {
    action: 'role.defined',
    at,
    appId: role.appId,
    role: role.role,
    before: null,
    after: { description: role.description, version: 1 },
    reason: null,
  });
  return role;
}
