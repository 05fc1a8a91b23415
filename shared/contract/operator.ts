import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { answers } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { operatorRoles } from './operator-role.ts';

export const heldRoleSchema = /* @__PURE__ */ (() =>
  v.object({ role: v.picklist(operatorRoles), appId: v.nullable(v.string()) }))();

export const operatorSchema = /* @__PURE__ */ (() =>
  v.object({
    id: v.string(),
    via: v.picklist(['iam', 'token']),
    email: v.nullable(v.string()),
    roles: v.array(heldRoleSchema),
    reasonRequired: v.boolean(),
  }))();
export type OperatorView = Answer<typeof operatorSchema>;

export const getOperatorOperation = {
  name: 'get-operator',
  method: 'GET',
  path: '/api/manage/operator',
  role: 'viewer',
  forLimited: 'whole',
  answer: answers<typeof operatorSchema>(),
  errors: [],
} as const satisfies ManageOperation;
