import { accessFields } from './access-fields.ts';
import { keyFields } from './api-key-fields.ts';
import { applicationFields } from './application-fields.ts';
import type { Fields } from './field-forms.ts';
import { roleFields } from './role-fields.ts';
import { userFields } from './user-fields.ts';

/** What can be set of each resource. */
export const resourceFields = {
  access: accessFields,
  user: userFields,
  role: roleFields,
  key: keyFields,
  application: applicationFields,
} as const satisfies Readonly<Record<string, Fields>>;
