import * as v from 'valibot';
import type { snapshotEntrySchema, snapshotPageSchema, snapshotRangeSchema } from './access-snapshot-answers.ts';
import type { Answer } from './answers.ts';
import { answers, limitSchema } from './fields.ts';
import type { ServiceOperation } from './operation.ts';

export type SnapshotEntry = Answer<typeof snapshotEntrySchema>;

export type SnapshotRange = Answer<typeof snapshotRangeSchema>;

export type SnapshotPage = Answer<typeof snapshotPageSchema>;

/** The maximum number of entries on one page. */
const maxSnapshotPageSize = 2500;

const snapshotQuerySchema = v.strictObject({
  limit: limitSchema({ byDefault: maxSnapshotPageSize, most: maxSnapshotPageSize }),
  after: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty; leave it out instead'))),
  digest: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
});

export const getSnapshotOperation = {
  name: 'get-snapshot',
  method: 'GET',
  path: '/api/service/access',
  scope: 'access:read',
  writes: false,
  query: snapshotQuerySchema,
  answer: answers<typeof snapshotPageSchema>(),
  errors: [],
} as const satisfies ServiceOperation;

/** The Service API: snapshots. */
export const accessSnapshotServiceOperations = {
  'get-snapshot': getSnapshotOperation,
} as const;
