import * as v from 'valibot';
import * as catalog from '#options/catalog.ts';
import { accessSchema, changedAccessSchema } from '#shared/contract/access-answers.ts';
import { deletionSchema } from '#shared/contract/answers.ts';
import { changeIntegritySchema } from '#shared/contract/change-integrity.ts';
import {
  applicationCallerSchema,
  applicationChangePageSchema,
  applicationChangeSchema,
  callerSchema,
  changePageSchema,
  changeViewSchema,
  narrowedChangePageSchema,
  recordedStateSchema,
} from '#shared/contract/change-schemas.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import { documentationOf } from '#shared/contract/documents.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { fieldErrorSchema, problemMembers, problemSchema } from '#shared/contract/problems.ts';
import { operations } from './described-operations.ts';
import { describeNamed, describeSchema, type JsonSchema, type NamedSchemas } from './json-schema.ts';

/** The members that a problem document of any code may have. */
const anyProblemSchema = v.object({ ...problemSchema.entries, ...optional(Object.values(problemMembers)) });

/**
 * The responses of API Gateway and the function URL themselves. They are separate schemas, because some generators treat names
 * that differ only by case as one.
 */
const text = v.exactOptional(v.nullable(v.string()));
/** Never present; described so that types generated from all responses have the `code` of each. */
const noCode = v.exactOptional(problemSchema.entries.code);
const gatewayAnswerSchema = v.object({ message: text, code: noCode });
const functionUrlAnswerSchema = v.object({ Message: text, code: noCode });

const code = 'Never present: only the service sends a code.';
describeMembers(gatewayAnswerSchema.entries, { message: 'From API Gateway, for people.', code });
describeMembers(functionUrlAnswerSchema.entries, { Message: 'From the function URL, for people.', code });

/** The schemas of the contract that get a name in the document. */
const named: NamedSchemas = {
  Access: accessSchema,
  ChangedAccess: changedAccessSchema,
  Change: changeViewSchema,
  RecordedState: recordedStateSchema,
  Caller: callerSchema,
  ChangeIntegrity: changeIntegritySchema,
  ChangePage: changePageSchema,
  UserChangePage: narrowedChangePageSchema,
  ChangeVerdict: itemOf('verify-changes'),
  ChangeVerdicts: answerOf('verify-changes'),
  ApplicationChange: applicationChangeSchema,
  ApplicationCaller: applicationCallerSchema,
  ApplicationChangePage: applicationChangePageSchema,
  Application: answerOf('get-application'),
  ChangedApplication: answerOf('update-application'),
  ApplicationPage: answerOf('list-applications'),
  ApiKey: itemOf('list-keys'),
  ChangedApiKey: answerOf('revoke-key'),
  IssuedApiKey: answerOf('issue-key'),
  ApiKeyPage: answerOf('list-keys'),
  Role: answerOf('get-role'),
  ChangedRole: answerOf('define-role'),
  RolePage: answerOf('list-roles'),
  Member: itemOf('list-members'),
  MemberPage: answerOf('list-members'),
  AccessPage: answerOf('list-application-users'),
  BulkOutcome: itemOf('set-access-in-bulk'),
  BulkOutcomes: answerOf('set-access-in-bulk'),
  User: answerOf('get-user'),
  ChangedUser: answerOf('update-user'),
  UserPage: answerOf('list-users'),
  UserAccess: itemOf('list-user-access'),
  UserAccessPage: answerOf('list-user-access'),
  Operator: answerOf('get-operator'),
  Deletion: deletionSchema,
  ...Object.assign({}, ...membersOf(catalog, 'schemas')),
  ...namedBodies(),
  Problem: anyProblemSchema,
  FieldError: fieldErrorSchema,
  GatewayAnswer: gatewayAnswerSchema,
  FunctionUrlAnswer: functionUrlAnswerSchema,
};

const options = { named, base: '#/components/schemas/' };

/** `components.schemas` of the document. */
export function describeSchemas(): Record<string, JsonSchema> {
  return describeNamed(options);
}

/** A schema at its place in the document: a reference, if it has a name. */
export function schemaAt(schema: v.GenericSchema): JsonSchema {
  return describeSchema(schema, options);
}

/** An optional body is described as it is when present. */
export function withoutDefault(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;
}

/** The schema of an operation's answer. */
function answerOf(name: ManageOperationName): v.GenericSchema {
  return documentationOf(manageOperations[name]).answer;
}

/** The schema of the items of a list. */
function itemOf(name: ManageOperationName): v.GenericSchema {
  const { entries } = answerOf(name) as { entries?: { items?: { item?: v.GenericSchema } } };
  if (entries?.items?.item === undefined) throw new Error(`${name} does not return a list`);
  return entries.items.item;
}

/** Each body by the name of the first operation that takes it, such as `SetAccessBody`. */
function namedBodies(): NamedSchemas {
  const bodies = new Map<v.GenericSchema, string>();
  for (const { name, body } of operations) {
    const schema = body && withoutDefault(body);
    if (schema !== undefined && !bodies.has(schema)) bodies.set(schema, `${pascalCase(name)}Body`);
  }
  return Object.fromEntries([...bodies].map(([schema, name]) => [name, schema]));
}

/** A name such as `SetAccess`, of `set-access`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function optional(members: readonly v.ObjectEntries[]): v.ObjectEntries {
  const all = members.flatMap((entries) => Object.entries(entries));
  return Object.fromEntries(all.map(([name, schema]) => [name, v.exactOptional(schema as v.GenericSchema)]));
}
