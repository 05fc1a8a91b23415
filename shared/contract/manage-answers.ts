import * as v from 'valibot';
import { accessSchema, changedAccessSchema } from './access.ts';
import { type Answer, changedSchema, pageSchema } from './answer.ts';
import { changePageSchema } from './change.ts';
import type { ManageRouteName, manageRoutes } from './manage-routes.ts';
import {
  applicationSchema,
  bulkOutcomeSchema,
  deletionSchema,
  issuedKeySchema,
  keySchema,
  memberSchema,
  roleSchema,
  userAccessSchema,
  userSchema,
} from './management.ts';

const changedUserSchema = changedSchema(userSchema);

/** What each operation of the Management API answers when it succeeds. */
export const manageAnswers = {
  'create-application': applicationSchema,
  'list-applications': pageSchema(applicationSchema),
  'get-application': applicationSchema,
  'update-application': changedSchema(applicationSchema),
  'delete-application': deletionSchema,
  'issue-key': issuedKeySchema,
  'list-keys': pageSchema(keySchema),
  'revoke-key': changedSchema(keySchema),
  'rotate-key': issuedKeySchema,
  'list-roles': pageSchema(roleSchema),
  'define-role': changedSchema(roleSchema),
  'get-role': roleSchema,
  'delete-role': deletionSchema,
  'list-members': pageSchema(memberSchema),
  'list-application-users': pageSchema(accessSchema),
  'set-access-in-bulk': v.object({ items: v.array(bulkOutcomeSchema) }),
  'list-application-changes': changePageSchema,
  'list-users': pageSchema(userSchema),
  'create-user': userSchema,
  'get-user': userSchema,
  'update-user': changedUserSchema,
  'delete-user': deletionSchema,
  'set-user-status': changedUserSchema,
  'list-user-access': pageSchema(userAccessSchema),
  'set-user-access': changedAccessSchema,
  'assign-user-role': changedAccessSchema,
  'revoke-user-role': changedAccessSchema,
  'list-user-changes': changePageSchema,
} as const satisfies Record<ManageRouteName, v.GenericSchema>;

/** The same as types. */
export type ManageAnswers = { readonly [Name in ManageRouteName]: Answer<(typeof manageAnswers)[Name]> };

/** The names in braces of an operation's path. */
export type PathOf<Name extends ManageRouteName> = Readonly<
  Record<Braced<(typeof manageRoutes)[Name]['path']>, string>
>;
type Braced<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Braced<Rest> : never;
