import { setAccessBodySchema } from '#shared/contract/access.ts';
import { accessSchema, changedAccessSchema } from '#shared/contract/access-answers.ts';
import { checkedAccessSchema } from '#shared/contract/access-check-answers.ts';
import { changeRecordSchema, changeSchemas } from '#shared/contract/change-details.ts';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { appIdPattern, maxPageSize, roleNamePattern, secretPattern, userIdPattern } from '#shared/contract/fields.ts';
import { assignRoleBodySchema, revokeRoleBodySchema } from '#shared/contract/grant.ts';
import { optionAnswers, optionComments, optionInputs } from '#shared/contract/option-types.ts';
import { describeNamed, type JsonSchema } from './json-schema.ts';
import { declareMember, declareSchema, declareType, typeOf, unionOf } from './typescript-types.ts';

const named = {
  Access: accessSchema,
  ChangedAccess: changedAccessSchema,
  UnknownUser: checkedAccessSchema.options[1],
  CheckedAccess: checkedAccessSchema,
  ...optionAnswers,
  ChangeRecord: changeRecordSchema,
  ...changeSchemas,
};

/** The bodies of writes, which callers pass. */
const inputs = {
  AccessSetting: setAccessBodySchema,
  Grant: assignRoleBodySchema,
  Revocation: revokeRoleBodySchema,
  ...optionInputs,
};

type Declared = keyof typeof named | keyof typeof inputs | 'Change' | 'ChangeAction' | 'ErrorCode';

/** The doc comment of each type in the SDK. */
const comments: Readonly<Record<Declared, string>> = {
  Access: 'The access of one user to one application.',
  ChangedAccess: 'The response to a write: `changed` is false if the access was already as requested.',
  UnknownUser: 'An id that matches no user.',
  CheckedAccess: 'The result for one of several users.',
  ChangeRecord: 'What every change record contains: who, when, why, and in which request.',
  AccessChange: 'A user was enabled or disabled in the application.',
  RoleChange: 'A user got or lost a role.',
  UserStatusChange: 'A user was activated or deactivated in all applications.',
  UserCreation: 'A user was created with the id of an erased user.',
  UserDeletion: 'A user was erased.',
  RoleDefinitionChange: 'A role was defined or deleted, or its description changed.',
  ApplicationChange: 'The application was created, changed or deleted.',
  AccessReview: 'The access to the application was reviewed.',
  KeyIssue: 'An API key was issued.',
  KeyUpdate: 'An API key was labelled.',
  KeyRotation: 'An API key was replaced by the one that `keyId` names; the states are those of the old one.',
  KeyRevocation: 'An API key was revoked.',
  AccessSetting: 'The complete new setting: omitted members are cleared.',
  Grant: 'A role to assign.',
  Revocation: 'A role to revoke.',
  Change: 'The record of one accepted change; its `action` says which. New kinds may be added.',
  ChangeAction: 'The kinds of changes. New ones may be added.',
  ErrorCode: 'Every error code of the service. New ones may be added.',
  ...optionComments,
};

/** The part of the contract that the SDK uses, as TypeScript that imports nothing. */
export function describeClientContract(): string {
  const schemas = describeNamed({ named, base: '' });
  const interfaces = Object.entries(schemas).map(([name, schema]) =>
    describe(name, declareSchema(name, schema, { schemas })),
  );
  return [
    '// Generated from shared/contract by npm run build:docs.',
    ...interfaces,
    ...Object.entries(describeNamed({ named: { ...named, ...inputs }, base: '' }))
      .filter(([name]) => name in inputs)
      .map(([name, schema]) => describe(name, declareType(name, inputType(schema)))),
    describe('Change', declareType('Change', unionOf(Object.keys(changeSchemas)))),
    describe('ChangeAction', declareType('ChangeAction', "Change['action']")),
    describe(
      'ErrorCode',
      declareType('ErrorCode', unionOf(Object.keys(errorCatalogue).map((code) => JSON.stringify(code)))),
    ),
    `export const userIdPattern = ${userIdPattern};`,
    `export const appIdPattern = ${appIdPattern};`,
    `export const roleNamePattern = ${roleNamePattern};`,
    `export const secretPattern = ${secretPattern};`,
    `export const maxPageSize = ${maxPageSize};`,
  ].join('\n\n');
}

/** A declaration below the doc comment of its type. */
function describe(name: string, declaration: string): string {
  return `/** ${comments[name as Declared]} */\n${declaration}`;
}

/** An object that callers pass: an omitted member may also be undefined, and a time may be a Date. */
function inputType({ properties = {}, required = [] }: JsonSchema): string {
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, member]) => {
    const type = member.format === 'date-time' ? typeOf(member).replace('string', 'string | Date') : typeOf(member);
    return required.includes(name)
      ? declareMember(name, type, member)
      : declareMember(`${name}?`, `${type} | undefined`, member);
  });
  return `{\n${members.join('\n')}\n}`;
}
