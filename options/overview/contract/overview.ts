import * as v from 'valibot';
import type { Answer, NarrowedPageOf } from '#shared/contract/answers.ts';
import { answers, durationSchema, pageQuery } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type { blockEndSchema, overviewSchema } from './overview-answers.ts';

/** How many applications the overview names: those with the most blocks, and those with the lowest rollouts. */
export const maxOverviewApplications = 10;
/** The blocks that end this week end within this many days. */
export const endingBlockDays = 7;
/** The days (UTC) of which the overview counts changes, up to today. */
export const overviewDays = 30;

export type OverviewView = Answer<typeof overviewSchema>;

/** Which applications the overview names: the ten with the most blocks, or all. */
export const namedApplications = ['most-blocked', 'all'] as const;
export type NamedApplications = (typeof namedApplications)[number];

const overviewQuerySchema = v.strictObject({
  applications: v.optional(v.picklist(namedApplications, 'must be most-blocked or all'), 'most-blocked'),
});

export const getOverviewOperation = {
  name: 'get-overview',
  method: 'GET',
  path: '/api/manage/overview',
  role: 'viewer',
  forLimited: 'narrowed',
  query: overviewQuerySchema,
  answer: answers<typeof overviewSchema>(),
  errors: [],
} as const satisfies ManageOperation;

const blockEndsQuerySchema = v.strictObject({ ...pageQuery, endsWithin: v.optional(durationSchema) });

export type BlockEndView = Answer<typeof blockEndSchema>;

export const listBlockEndsOperation = {
  name: 'list-block-ends',
  method: 'GET',
  path: '/api/manage/block-ends',
  role: 'viewer',
  forLimited: 'narrowed',
  query: blockEndsQuerySchema,
  answer: answers<NarrowedPageOf<typeof blockEndSchema>>(),
  errors: [],
} as const satisfies ManageOperation;
