import * as v from 'valibot';
import { operatorRoles } from './operator-role.ts';

/** A role of the operator. */
export const heldRoleSchema = v.object({ role: v.picklist(operatorRoles), appId: v.nullable(v.string()) });

/** Who calls, and with which roles. */
export const operatorSchema = v.object({
  id: v.string(),
  via: v.picklist(['iam', 'token']),
  email: v.nullable(v.string()),
  roles: v.array(heldRoleSchema),
  reasonRequired: v.boolean(),
});
