import type { Answer } from './answers.ts';
import { answers } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import type { operatorSchema } from './operator-answers.ts';

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

/** The Management API: operators. */
export const operatorManageOperations = {
  'get-operator': getOperatorOperation,
} as const;
