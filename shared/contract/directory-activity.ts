import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { answers, timestampSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';

/** The most refused requests that an answer shows. */
export const maxRefusals = 20;

const countSchema = /* @__PURE__ */ (() => v.pipe(v.number(), v.integer(), v.minValue(0)))();

export const refusalSchema = /* @__PURE__ */ (() =>
  v.object({
    at: timestampSchema,
    method: v.string(),
    path: v.string(),
    status: v.number(),
    scimType: v.nullable(v.string()),
    detail: v.string(),
  }))();

export const connectionActivitySchema = /* @__PURE__ */ (() =>
  v.object({
    lastRequestAt: v.nullable(timestampSchema),
    requests: countSchema,
    refused: countSchema,
    refusals: v.array(refusalSchema),
  }))();
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
