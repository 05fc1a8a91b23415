import * as v from 'valibot';
import type { Authorization, ConditionKey } from '../../local/iam/authorization.ts';
import { openAssembly } from '../../local/read-stack.ts';
import { functionArn } from '../../local/template-resources.ts';

const texts = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);
const statementSchema = v.object({
  Sid: v.optional(v.string(), ''),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: texts,
  Resource: texts,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), v.unknown())), {}),
});
/** A statement of the template, with its references resolved to ARNs. */
export type PolicyStatement = v.InferOutput<typeof statementSchema>;

const documentSchema = v.object({ Statement: v.array(statementSchema) });
const policySchema = v.object({ Roles: v.optional(v.array(v.string()), []), PolicyDocument: documentSchema });
const roleSchema = v.object({ Policies: v.optional(v.array(v.object({ PolicyDocument: documentSchema })), []) });

/** The statements of each role of an assembly, by its ARN. */
export function statementsByRole(assembly: string, tableName: string): Map<string, PolicyStatement[]> {
  const template = openAssembly(assembly, { tableName });
  const policies = template
    .idsOf(['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'])
    .map((id) => template.read(id, policySchema));
  const statementsOf = (role: string) => [
    ...template.read(role, roleSchema).Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    ...policies.flatMap(({ Roles, PolicyDocument }) => (Roles.includes(role) ? PolicyDocument.Statement : [])),
  ];
  return new Map(
    template.idsOf(['AWS::IAM::Role']).map((id) => {
      const arn = template.arnOf(id);
      return [arn, statementsOf(id).filter((statement) => isAbout(statement, arn))];
    }),
  );
}

/** Whether a statement, in a policy that several roles share, applies to this one. */
function isAbout({ Condition }: PolicyStatement, arn: string): boolean {
  const role = Condition.ArnEquals?.['aws:PrincipalArn'];
  return role === undefined || role === arn;
}

/** A modification of a role's statements, with the resulting statements. */
export interface Variant {
  readonly change: string;
  readonly statements: readonly PolicyStatement[];
}

/**
 * Removes each permission of the role in turn: each action on each resource, and each listed condition value.
 * Statements with several actions are split first: what one action needs does not justify allowing it for another.
 */
export function withLess(statements: readonly PolicyStatement[]): Variant[] {
  const single = statements.flatMap(takeApart);
  return single.flatMap((statement, at) => {
    if (statement.Effect === 'Deny') return [];
    const replaced = (change: string, ...by: PolicyStatement[]): Variant => ({
      change: `${change} of ${describe(statement)}`,
      statements: single.toSpliced(at, 1, ...by),
    });
    return [
      replaced('all'),
      ...eachValueLess(statement).map(([one, Condition]) => replaced(one, { ...statement, Condition })),
    ];
  });
}

function takeApart(statement: PolicyStatement): PolicyStatement[] {
  if (statement.Effect === 'Deny') return [statement];
  return statement.Action.flatMap((action) =>
    statement.Resource.map((resource) => ({ ...statement, Action: [action], Resource: [resource] })),
  );
}

/** Removes each restriction of the role in turn: each denying statement, and each condition of an allowing one. */
export function withoutLimits(statements: readonly PolicyStatement[]): Variant[] {
  return statements.flatMap((statement, at) => {
    const what = describe(statement);
    if (statement.Effect === 'Deny') return [{ change: `all of ${what}`, statements: statements.toSpliced(at, 1) }];
    return conditionsOf(statement).map(({ operator, key }) => {
      const { [key]: _, ...others } = statement.Condition[operator] ?? {};
      const Condition = { ...statement.Condition, [operator]: others };
      const change = `${operator} ${key} of ${what}`;
      return { change, statements: statements.toSpliced(at, 1, { ...statement, Condition }) };
    });
  });
}

/** Varies a request one thing at a time, as a compromised function could. */
export function overreaching({ action, resource, context }: Authorization): Authorization[] {
  const others: readonly (readonly [ConditionKey, readonly string[] | string | undefined])[] = [
    ['dynamodb:LeadingKeys', ['OTHER#1']],
    ['dynamodb:LeadingKeys', undefined],
    ['dynamodb:Attributes', [...[context['dynamodb:Attributes'] ?? []].flat(), 'other']],
    ['dynamodb:Attributes', undefined],
    ['dynamodb:ReturnValues', 'ALL_OLD'],
    ['dynamodb:Select', 'ALL_ATTRIBUTES'],
    ['kms:MacAlgorithm', 'HMAC_SHA_512'],
    ['kms:MessageType', 'DIGEST'],
    ['kms:SigningAlgorithm', 'ECDSA_SHA_512'],
    ['s3:if-none-match', undefined],
    ['lambda:SourceFunctionArn', functionArn('Other')],
    ['lambda:SourceFunctionArn', undefined],
  ];
  return others.map(([key, value]) => ({ action, resource, context: { ...context, [key]: value } }));
}

/** The conditions that list what may be accessed; values of other conditions are not separate permissions. */
const listingKeys: readonly string[] = ['dynamodb:LeadingKeys', 'dynamodb:Attributes'];

function eachValueLess(statement: PolicyStatement): [string, PolicyStatement['Condition']][] {
  return conditionsOf(statement).flatMap(({ operator, key, value }) => {
    if (operator === 'Null' || !listingKeys.includes(key)) return [];
    const conditions = statement.Condition[operator];
    return eachLess([value].flat()).map(([one, values]): [string, PolicyStatement['Condition']] => [
      String(one),
      { ...statement.Condition, [operator]: { ...conditions, [key]: values } },
    ]);
  });
}

function conditionsOf({ Condition }: PolicyStatement) {
  return Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, value]) => ({ operator, key, value })),
  );
}

/** Returns the list without each of its values in turn; empty for a single value. */
function eachLess<Value>(values: readonly Value[]): [Value, Value[]][] {
  return values.length === 1 ? [] : values.map((value, at) => [value, values.toSpliced(at, 1)]);
}

function describe({ Effect, Action, Resource, Condition }: PolicyStatement): string {
  return JSON.stringify([Effect, Action, Resource, Condition]);
}
