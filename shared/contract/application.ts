import * as v from 'valibot';
import type { Answer, deletionSchema, NarrowedPageOf } from './answers.ts';
import type { applicationSchema, changedApplicationSchema } from './application-answers.ts';
import { applicationFields } from './application-fields.ts';
import { reasonBodySchema, reasonEntries } from './change-reason.ts';
import { fieldEntries } from './field-forms.ts';
import { answers, appIdSchema, dryRunQuerySchema, forceQuerySchema, pageQuerySchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';

export type ApplicationView = Answer<typeof applicationSchema>;

// An application is limited only once its traffic is known.
const { requestsPerSecond: _, ...fields } = fieldEntries(applicationFields, 'body');

const createApplicationBodySchema = v.strictObject({ appId: appIdSchema, ...fields });

export const createApplicationOperation = {
  name: 'create-application',
  method: 'POST',
  path: '/api/manage/applications',
  role: 'admin',
  forLimited: 'named',
  query: dryRunQuerySchema,
  body: createApplicationBodySchema,
  answer: answers<typeof applicationSchema>(),
  statuses: [201],
  errors: ['already_exists'],
} as const satisfies ManageOperation;

export const listApplicationsOperation = {
  name: 'list-applications',
  method: 'GET',
  path: '/api/manage/applications',
  role: 'viewer',
  forLimited: 'narrowed',
  query: pageQuerySchema,
  answer: answers<NarrowedPageOf<typeof applicationSchema>>(),
  errors: [],
} as const satisfies ManageOperation;

export const getApplicationOperation = {
  name: 'get-application',
  method: 'GET',
  path: '/api/manage/applications/{appId}',
  role: 'viewer',
  answer: answers<typeof applicationSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/** Omitted members keep their values. */
const updateApplicationBodySchema = v.strictObject({ ...fieldEntries(applicationFields, 'patch'), ...reasonEntries });

export const updateApplicationOperation = {
  name: 'update-application',
  method: 'PATCH',
  path: '/api/manage/applications/{appId}',
  role: 'admin',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: updateApplicationBodySchema,
  answer: answers<typeof changedApplicationSchema>(),
  errors: ['application_not_found', 'reason_required'],
} as const satisfies ManageOperation;

export const undoApplicationChangeOperation = {
  name: 'undo-application-change',
  method: 'POST',
  path: '/api/manage/applications/{appId}/changes/{changeId}/undo',
  role: 'admin',
  query: dryRunQuerySchema,
  body: reasonBodySchema,
  answer: answers<typeof changedApplicationSchema>(),
  errors: ['change_not_found', 'not_undoable', 'version_mismatch', 'application_not_found', 'reason_required'],
} as const satisfies ManageOperation;

export const deleteApplicationOperation = {
  name: 'delete-application',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}',
  role: 'admin',
  query: forceQuerySchema,
  answer: answers<typeof deletionSchema>(),
  statuses: [200, 202],
  errors: ['application_in_use'],
} as const satisfies ManageOperation;

/** The Management API: applications. */
export const applicationManageOperations = {
  'create-application': createApplicationOperation,
  'list-applications': listApplicationsOperation,
  'get-application': getApplicationOperation,
  'update-application': updateApplicationOperation,
  'undo-application-change': undoApplicationChangeOperation,
  'delete-application': deleteApplicationOperation,
} as const;
