import { functionsOf, referredId, resourcesOf, type Template } from './synthesized-stack.ts';

export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface PolicyProperties {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
  readonly Roles: readonly unknown[];
}

/** All that the policies of a function's role say. */
export function statementsOf(template: Template, functionName: string): readonly Statement[] {
  const roleId = referredId(functionsOf(template).get(functionName)?.Properties.Role);
  return policiesOf(template)
    .filter(({ Roles }) => Roles.some((role) => referredId(role) === roleId))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** All statements of all policies for roles. */
export function allStatementsOf(template: Template): readonly Statement[] {
  return policiesOf(template).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The allowed actions, sorted. */
export function actionsOf(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap(({ Effect, Action }) => (Effect === 'Allow' ? Action : [])).sort();
}

/** What a request touches, as far as a condition of ours looks at it. */
export interface TouchedItem {
  readonly pk: string;
  /** Names of the attributes. Default: the keys and one that no condition knows. */
  readonly attributes?: readonly string[];
  /** Default: as DynamoDB's, nothing. */
  readonly returnValues?: string;
}

/** Whether IAM would let the action touch the item. */
export function allowsItem(statements: readonly Statement[], action: string, item: TouchedItem): boolean {
  return statements.some(
    (statement) =>
      [statement.Action].flat().includes(action) &&
      matchesLeadingKey(statement, item) &&
      matchesAttributes(statement, item) &&
      matchesReturnValues(statement, item),
  );
}

function matchesLeadingKey({ Condition }: Statement, { pk }: TouchedItem): boolean {
  const patterns = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  if (patterns === undefined) return true;
  return [patterns as string | string[]].flat().some((pattern) => stringLike(pattern).test(pk));
}

function matchesAttributes({ Condition }: Statement, { attributes = ['pk', 'sk', 'other'] }: TouchedItem): boolean {
  const allowed = Condition?.['ForAllValues:StringEquals']?.['dynamodb:Attributes'] as string[] | undefined;
  return allowed === undefined || attributes.every((name) => allowed.includes(name));
}

function matchesReturnValues({ Condition }: Statement, { returnValues }: TouchedItem): boolean {
  const allowed = Condition?.StringEqualsIfExists?.['dynamodb:ReturnValues'] as string[] | undefined;
  return allowed === undefined || returnValues === undefined || allowed.includes(returnValues);
}

function stringLike(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
}

function policiesOf(template: Template): readonly PolicyProperties[] {
  const policies = resourcesOf(template, 'AWS::IAM::Policy').values();
  return [...policies].map(({ Properties }) => Properties as unknown as PolicyProperties);
}
