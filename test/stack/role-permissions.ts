import { compileConditions } from '../../local/iam/conditions.ts';
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

/** Returns all statements that apply to a function's role. */
export function statementsOf(template: Template, functionName: string): readonly Statement[] {
  const roleId = referredId(functionsOf(template).get(functionName)?.Properties.Role);
  return policiesOf(template)
    .filter(({ Roles }) => Roles.some((role) => referredId(role) === roleId))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Condition }) => {
      const principal = Condition?.ArnEquals?.['aws:PrincipalArn'];
      return principal === undefined || referredId(principal) === roleId;
    });
}

/** Returns all statements of all policies for roles. */
export function allStatementsOf(template: Template): readonly Statement[] {
  return policiesOf(template).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** Returns the allowed actions, sorted. */
export function actionsOf(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap(({ Effect, Action }) => (Effect === 'Allow' ? Action : [])).sort();
}

/** The parts of a request that the policies' conditions depend on. */
export interface TouchedItem {
  readonly pk: string;
  /** Names of the attributes. Default: the keys and one that no condition names. */
  readonly attributes?: readonly string[];
  /** Default: as DynamoDB's, nothing. */
  readonly returnValues?: string;
}

/** Whether IAM would allow the action on the item, by the conditions of the statements. */
export function allowsItem(statements: readonly Statement[], action: string, item: TouchedItem): boolean {
  const { pk, attributes = ['pk', 'sk', 'other'], returnValues } = item;
  const context = {
    'dynamodb:LeadingKeys': [pk],
    'dynamodb:Attributes': attributes,
    'dynamodb:ReturnValues': returnValues,
  };
  return statements.some(
    ({ Effect, Action, Condition = {} }) =>
      Effect === 'Allow' && [Action].flat().includes(action) && compileConditions(Condition, action)(context),
  );
}

/** The policies of roles: their own, and those that are attached to them. */
export function policiesOf(template: Template): readonly PolicyProperties[] {
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) =>
    [...resourcesOf(template, type).values()].map(({ Properties }) => Properties as unknown as PolicyProperties),
  );
  const own = [...resourcesOf(template, 'AWS::IAM::Role')].flatMap(([id, { Properties }]) => {
    const { Policies = [] } = Properties as { Policies?: readonly Pick<PolicyProperties, 'PolicyDocument'>[] };
    return Policies.map(({ PolicyDocument }) => ({ PolicyDocument, Roles: [{ Ref: id }] }));
  });
  return [...own, ...attached.filter(({ Roles }) => Roles !== undefined)];
}
