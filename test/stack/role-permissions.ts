import type { Template } from 'aws-cdk-lib/assertions';
import { functionsOf, referredId, resourcesOf } from './synthesized-stack.ts';

export interface Statement {
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
  return statements.flatMap(({ Action }) => Action).sort();
}

/** Whether IAM would let the action touch the item of this partition key, as far as the leading key decides. */
export function allowsItem(statements: readonly Statement[], action: string, pk: string): boolean {
  return statements.some((statement) => [statement.Action].flat().includes(action) && matchesLeadingKey(statement, pk));
}

function matchesLeadingKey({ Condition }: Statement, pk: string): boolean {
  const patterns = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  if (patterns === undefined) return true;
  return [patterns as string | string[]].flat().some((pattern) => stringLike(pattern).test(pk));
}

function stringLike(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
}

function policiesOf(template: Template): readonly PolicyProperties[] {
  const policies = resourcesOf(template, 'AWS::IAM::Policy').values();
  return [...policies].map(({ Properties }) => Properties as unknown as PolicyProperties);
}
