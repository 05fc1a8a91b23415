import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { answers } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { operatorRoles } from './operator-role.ts';

const heldRoleSchema = /* @__PURE__ */ (() =>
  v.object({ role: v.picklist(operatorRoles), appId: v.nullable(v.string()) }))();

const operatorSchema = /* @__PURE__ */ (() =>
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

/* @__PURE__ */ documentOperation(getOperatorOperation, () => ({
  answer: operatorSchema,
  opensPage: true,
  tag: 'Operators',
  summary: 'Read who you are and what you may do',
  description: 'Describes the operator whose credentials the request carries.',
  example: {
    answer: {
      id: '5d1f9a3c-0b7e-4f2a-9c58-1e6d7a8b9c0d',
      via: 'token',
      email: 'edith@example.com',
      roles: [
        { role: 'viewer', appId: null },
        { role: 'support', appId: 'billing' },
      ],
      reasonRequired: false,
    },
  },
}));

/* @__PURE__ */ describeMembers(() => operatorSchema.entries, {
  id: "The IAM ARN, or the token's `sub`, which only its issuer vouches for.",
  via: 'How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API.',
  email: "The e-mail address of the operator's token; `null` if it has none.",
  roles: 'Everything that the operator may do: the roles add up, and each includes the lesser ones.',
  reasonRequired:
    'Whether the deployment requires a reason for each change of a status, an access or a role; an application may require it too.',
});
/* @__PURE__ */ describeMembers(() => heldRoleSchema.entries, {
  role: 'The role of the operator: `viewer`, `support` or `admin`.',
  appId: 'The only application in which it applies; `null` for all.',
});
