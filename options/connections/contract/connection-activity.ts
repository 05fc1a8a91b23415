import type { Answer } from '#shared/contract/answers.ts';
import { answers } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type { connectionActivitySchema, refusalSchema } from './connection-activity-answers.ts';

/** The most refused requests that an answer shows. */
export const maxRefusals = 20;

export type ConnectionActivity = Answer<typeof connectionActivitySchema>;
export type RefusedRequest = Answer<typeof refusalSchema>;

export const getConnectionActivityOperation = {
  name: 'get-connection-activity',
  method: 'GET',
  path: '/api/manage/connections/{connectionId}/activity',
  role: 'viewer',
  answer: answers<typeof connectionActivitySchema>(),
  errors: ['connection_not_found'],
} as const satisfies ManageOperation;
