import * as v from 'valibot';
import {
  type Answer,
  type ChangedOf,
  changedSchema,
  deletionSchema,
  type NarrowedPageOf,
  narrowedPageSchema,
  versionedSchema,
} from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleApplication, exampleTime } from './examples.ts';
import {
  answers,
  appIdSchema,
  dryRunQuerySchema,
  forceQuerySchema,
  pageQuerySchema,
  timestampSchema,
} from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { applicationFields, fieldEntries } from './resource-fields.ts';

export const applicationSchema = /* @__PURE__ */ (() =>
  versionedSchema({
    appId: appIdSchema,
    ...fieldEntries(applicationFields, 'shown'),
    reviewedAt: v.nullable(timestampSchema),
    reviewDueAt: v.nullable(timestampSchema),
  }))();
export type ApplicationView = Answer<typeof applicationSchema>;

const createApplicationBodySchema = /* @__PURE__ */ (() => {
  // An application is limited only once its traffic is known.
  const { requestsPerSecond: _, ...fields } = fieldEntries(applicationFields, 'body');
  return v.strictObject({ appId: appIdSchema, ...fields });
})();

export const createApplicationOperation = {
  name: 'create-application',
  method: 'POST',
  path: '/api/manage/applications',
  role: 'admin',
  query: dryRunQuerySchema,
  body: createApplicationBodySchema,
  answer: answers<typeof applicationSchema>(),
  statuses: [201],
  errors: ['already_exists'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(createApplicationOperation, () => ({
  answer: applicationSchema,
  tag: 'Applications',
  summary: 'Create an application',
  description:
    'The new application has no keys or roles, and every user has access unless `rolloutPercent` is set. An id cannot be reused, even after its application is deleted.',
  example: { body: { appId: 'billing', name: 'Billing' }, answer: exampleApplication },
}));

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

/* @__PURE__ */ documentOperation(listApplicationsOperation, () => ({
  answer: narrowedPageSchema(applicationSchema),
  opensPage: true,
  tag: 'Applications',
  summary: 'List applications',
  description: 'Ordered by id.',
  example: { query: { limit: 25 }, answer: { items: [exampleApplication], cursor: null } },
}));

export const getApplicationOperation = {
  name: 'get-application',
  method: 'GET',
  path: '/api/manage/applications/{appId}',
  role: 'viewer',
  answer: answers<typeof applicationSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(getApplicationOperation, () => ({
  answer: applicationSchema,
  opensPage: true,
  tag: 'Applications',
  summary: 'Read an application',
  example: { answer: exampleApplication },
}));

/** Omitted members keep their values. */
const updateApplicationBodySchema = v.strictObject(fieldEntries(applicationFields, 'patch'));

export const updateApplicationOperation = {
  name: 'update-application',
  method: 'PATCH',
  path: '/api/manage/applications/{appId}',
  role: 'admin',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: updateApplicationBodySchema,
  answer: answers<ChangedOf<typeof applicationSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(updateApplicationOperation, () => ({
  answer: changedSchema(applicationSchema),
  tag: 'Applications',
  summary: 'Change the settings of an application',
  description: 'Omitted members keep their values.',
  example: {
    body: { name: 'Billing and invoices' },
    answer: { ...exampleApplication, name: 'Billing and invoices', version: 2, updatedAt: exampleTime, changed: true },
  },
}));

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

/* @__PURE__ */ documentOperation(deleteApplicationOperation, () => ({
  answer: deletionSchema,
  tag: 'Applications',
  summary: 'Delete an application',
  description:
    'Its keys are refused immediately; then its accesses, roles and keys are deleted. Refused while users hold roles or explicit access in it, unless `?force=true`. Succeeds if the application does not exist.',
  example: { query: { force: 'true' }, answer: { changed: true, complete: true } },
}));

/* @__PURE__ */ describeMembers(() => applicationSchema.entries, {
  reviewedAt: 'When its access was last marked as reviewed; `null` if it never was.',
  reviewDueAt: 'When the next review of its access is due; `null` if no reviews are expected.',
});
