import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { exampleTime } from '#shared/contract/examples.ts';
import type { getConnectionActivityOperation } from './connection-activity.ts';
import { connectionActivitySchema, refusalSchema } from './connection-activity-answers.ts';

export const getConnectionActivityDocuments: OperationDocumentation<typeof getConnectionActivityOperation> = {
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
};

describeMembers(connectionActivitySchema.entries, {
  lastRequestAt: 'When the directory last sent a request, to the minute; `null` if it has not within 24 hours.',
  requests: 'How many requests it sent in the last 24 hours.',
  refused: 'How many of them were refused.',
  refusals: 'The latest refused requests, newest first, at most 20.',
});
describeMembers(refusalSchema.entries, {
  method: 'The method of the request.',
  path: 'Its path, without the query.',
  status: 'The status of the answer.',
  scimType: 'The `scimType` of the answer (RFC 7644 section 3.12); `null` if it had none.',
  detail: 'The `detail` of the answer.',
});
