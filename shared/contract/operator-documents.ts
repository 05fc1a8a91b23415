import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import type { operatorManageOperations } from './operator.ts';
import { heldRoleSchema, operatorSchema } from './operator-answers.ts';

export const operatorDocuments: DocumentsOf<typeof operatorManageOperations> = {
  'get-operator': {
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
  },
};

describeMembers(operatorSchema.entries, {
  id: "The IAM ARN, or the token's `sub`, which only its issuer vouches for.",
  via: 'How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API.',
  email: "The e-mail address of the operator's token; `null` if it has none.",
  roles: 'Everything that the operator may do: the roles add up, and each includes the lesser ones.',
  reasonRequired:
    'Whether the deployment requires a reason for each change of a status, an access or a role; an application may require it too.',
});
describeMembers(heldRoleSchema.entries, {
  role: 'The role of the operator: `viewer`, `support` or `admin`.',
  appId: 'The only application in which it applies; `null` for all.',
});
