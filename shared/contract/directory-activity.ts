import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleTime } from './examples.ts';
import { answers, timestampSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';

/** The most refused requests that an answer shows. */
export const maxRefusals = 20;

const countSchema = /* @__PURE__ */ (() => v.pipe(v.number(), v.integer(), v.minValue(0)))();

const refusalSchema = /* @__PURE__ */ (() =>
  v.object({
    at: timestampSchema,
    method: v.string(),
    path: v.string(),
    status: v.number(),
    scimType: v.nullable(v.string()),
    detail: v.string(),
  }))();

const connectionActivitySchema = /* @__PURE__ */ (() =>
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

/* @__PURE__ */ documentOperation(getConnectionActivityOperation, () => ({
  answer: connectionActivitySchema,
  tag: 'Connections',
  summary: "Read a directory's recent requests",
  description:
    'The counts of the last 24 hours, in whole hours, and the latest refused requests of the last seven days. Counts may lack the last minute. Only directories have an activity; that of another connection is empty.',
  example: {
    answer: {
      lastRequestAt: exampleTime,
      requests: 1204,
      refused: 1,
      refusals: [
        {
          at: exampleTime,
          method: 'POST',
          path: '/scim/v2/Users',
          status: 409,
          scimType: 'uniqueness',
          detail: 'Another user of the directory has this userName.',
        },
      ],
    },
  },
}));

/* @__PURE__ */ describeMembers(() => connectionActivitySchema.entries, {
  lastRequestAt: 'When the directory last sent a request, to the minute; `null` if it has not within 24 hours.',
  requests: 'How many requests it sent in the last 24 hours.',
  refused: 'How many of them were refused.',
  refusals: 'The latest refused requests, newest first, at most 20.',
});
/* @__PURE__ */ describeMembers(() => refusalSchema.entries, {
  method: 'The method of the request.',
  path: 'Its path, without the query.',
  status: 'The status of the answer.',
  scimType: 'The `scimType` of the answer (RFC 7644 section 3.12); `null` if it had none.',
  detail: 'The `detail` of the answer.',
});
