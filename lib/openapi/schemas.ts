import * as v from 'valibot';
import {
  accessSchema,
  assignRoleBodySchema,
  changedAccessSchema,
  revokeRoleBodySchema,
  setAccessBodySchema,
} from '#shared/contract/access.ts';
import { callerSchema } from '#shared/contract/caller.ts';
import { changePageSchema, changeSchema, changeSideSchema } from '#shared/contract/change.ts';
import { manageAnswers } from '#shared/contract/manage-answers.ts';
import { manageInputs } from '#shared/contract/manage-inputs.ts';
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
} from '#shared/contract/management.ts';
import { fieldErrorSchema, problemMembers, problemSchema } from '#shared/contract/problem.ts';
import { describeNamed, describeSchema, type JsonSchema, mapValues, type NamedSchemas } from './json-schema.ts';
import { explain } from './words.ts';

/** What a problem document of any code may hold. */
const anyProblemSchema = v.object({ ...problemSchema.entries, ...optional(Object.values(problemMembers)) });

/** What API Gateway and the function URL answer themselves; they do not agree on the name of the member. */
export const gatewayAnswerSchema = v.object({
  message: v.exactOptional(v.nullable(v.string())),
  Message: v.exactOptional(v.nullable(v.string())),
});

/** The schemas of the contract that get a name in the document. */
const named: NamedSchemas = {
  Access: accessSchema,
  ChangedAccess: changedAccessSchema,
  Change: changeSchema,
  ChangeSide: changeSideSchema,
  Caller: callerSchema,
  ChangePage: changePageSchema,
  Application: applicationSchema,
  ChangedApplication: manageAnswers['update-application'],
  ApplicationPage: manageAnswers['list-applications'],
  ApiKey: keySchema,
  ChangedApiKey: manageAnswers['revoke-key'],
  IssuedApiKey: issuedKeySchema,
  ApiKeyPage: manageAnswers['list-keys'],
  Role: roleSchema,
  ChangedRole: manageAnswers['define-role'],
  RolePage: manageAnswers['list-roles'],
  Member: memberSchema,
  MemberPage: manageAnswers['list-members'],
  AccessPage: manageAnswers['list-application-users'],
  BulkOutcome: bulkOutcomeSchema,
  BulkOutcomes: manageAnswers['set-access-in-bulk'],
  User: userSchema,
  ChangedUser: manageAnswers['update-user'],
  UserPage: manageAnswers['list-users'],
  UserAccess: userAccessSchema,
  UserAccessPage: manageAnswers['list-user-access'],
  Deletion: deletionSchema,
  SetAccessBody: setAccessBodySchema,
  AssignRoleBody: assignRoleBodySchema,
  RevokeRoleBody: revokeRoleBodySchema,
  CreateApplicationBody: bodyOf('create-application'),
  UpdateApplicationBody: bodyOf('update-application'),
  IssueKeyBody: bodyOf('issue-key'),
  RotateKeyBody: bodyOf('rotate-key'),
  DefineRoleBody: bodyOf('define-role'),
  SetAccessInBulkBody: bodyOf('set-access-in-bulk'),
  CreateUserBody: bodyOf('create-user'),
  UpdateUserBody: bodyOf('update-user'),
  SetUserStatusBody: bodyOf('set-user-status'),
  AssignUserRoleBody: bodyOf('assign-user-role'),
  Problem: anyProblemSchema,
  FieldError: fieldErrorSchema,
  GatewayAnswer: gatewayAnswerSchema,
};

const options = { named, base: '#/components/schemas/' };

/** `components.schemas` of the document. */
export function describeSchemas(): Record<string, JsonSchema> {
  return mapValues(describeNamed(options), explain);
}

/** A schema at its place in the document: a reference, if it has a name. */
export function schemaAt(schema: v.GenericSchema): JsonSchema {
  return describeSchema(schema, options);
}

/** A body that may be left out is described as it is when it is there. */
export function withoutDefault(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;
}

type NameWithBody = {
  [Name in keyof typeof manageInputs]: (typeof manageInputs)[Name] extends { body: unknown } ? Name : never;
}[keyof typeof manageInputs];

function bodyOf(name: NameWithBody): v.GenericSchema {
  return withoutDefault(manageInputs[name].body);
}

function optional(members: readonly v.ObjectEntries[]): v.ObjectEntries {
  const all = members.flatMap((entries) => Object.entries(entries));
  return Object.fromEntries(all.map(([name, schema]) => [name, v.exactOptional(schema as v.GenericSchema)]));
}
