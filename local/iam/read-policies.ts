import type { KeySchemaElement } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { LocalError } from '../local-error.ts';
import { readTable } from '../read-table.ts';
import { localArn, type TemplateResources } from '../template-resources.ts';
import type { GuardedTable } from './dynamodb-authorizations.ts';
import { readBoundary } from './read-boundary.ts';
import type { PolicyDocument } from './statements.ts';

/** What decides the calls of one function, as plain data that a worker can be given. */
export interface FunctionPolicies {
  /** The logical id of the function. */
  readonly functionId: string;
  /** The ARN of its role. */
  readonly role: string;
  readonly identity: readonly PolicyDocument[];
  readonly boundary?: PolicyDocument | undefined;
  /** The policies of each resource that has one, by its ARN. */
  readonly resources: readonly (readonly [string, readonly PolicyDocument[]])[];
  readonly table: GuardedTable;
  /** The CodeDeploy application of the releases. */
  readonly releases?: string | undefined;
}

/** Reads the policies of each function, by its logical id; throws a LocalError that names a policy it does not read. */
export function readPolicies(template: TemplateResources, tableName: string): Map<string, FunctionPolicies> {
  requireNoUnreadPolicies(template);
  const idsOf = (type: string) => template.idsOf([type]);
  const roles = [
    ...idsOf('AWS::IAM::Role').flatMap((id) => readInlinePolicies(template, id)),
    ...template.idsOf(attachedTypes).map((id) => readRolePolicy(template, id)),
  ];
  const shared = {
    resources: [
      ...idsOf('AWS::KMS::Key').map((id) => readKeyPolicy(template, id)),
      ...idsOf('AWS::SQS::QueuePolicy').flatMap((id) => readQueuePolicy(template, id)),
    ],
    table: guardedTable(template, tableName),
    releases: idsOf('AWS::CodeDeploy::Application')[0],
  };
  const functions = idsOf('AWS::Lambda::Function').map((functionId): FunctionPolicies => {
    const { Role: role } = template.read(functionId, functionSchema);
    const identity = roles.flatMap(({ arns, document }) => (arns.includes(role) ? [document] : []));
    return { functionId, role, identity, boundary: readBoundary(template, role), ...shared };
  });
  return new Map(functions.map((policies) => [policies.functionId, policies]));
}

const none = v.optional(v.undefined('has a policy that the local run does not read'));
/** Unread properties that could grant permissions or take some away. */
const unreadProperties = {
  'AWS::IAM::Role': v.object({ ManagedPolicyArns: none }),
  'AWS::DynamoDB::GlobalTable': v.object({ Replicas: v.optional(v.array(v.object({ ResourcePolicy: none }))) }),
  'AWS::DynamoDB::Table': v.object({ ResourcePolicy: none }),
  'AWS::Events::EventBus': v.object({ Policy: none }),
};
const unreadTypes = ['AWS::IAM::RolePolicy', 'AWS::Events::EventBusPolicy'];

function requireNoUnreadPolicies(template: TemplateResources): void {
  const [unread] = template.idsOf(unreadTypes);
  if (unread !== undefined) throw new LocalError(`The local run cannot evaluate the policy ${unread}.`);
  for (const [type, schema] of Object.entries(unreadProperties)) {
    for (const id of template.idsOf([type])) template.read(id, schema);
  }
}

const functionSchema = v.object({ Role: v.string() });
const roleSchema = v.object({
  Policies: v.optional(v.array(v.object({ PolicyName: v.string(), PolicyDocument: v.unknown() })), []),
});
const attachedTypes = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'];
const policySchema = v.object({ PolicyDocument: v.unknown(), Roles: v.optional(v.array(v.string()), []) });
const keySchema = v.object({ KeyPolicy: v.unknown() });
const queuePolicySchema = v.object({ PolicyDocument: v.unknown(), Queues: v.array(v.string()) });

function readInlinePolicies(template: TemplateResources, id: string) {
  const arns = [template.arnOf(id)];
  return template.read(id, roleSchema).Policies.map(({ PolicyName, PolicyDocument }) => ({
    arns,
    document: { place: `${id} ${PolicyName}`, json: PolicyDocument },
  }));
}

function readRolePolicy(template: TemplateResources, id: string) {
  const { PolicyDocument, Roles } = template.read(id, policySchema);
  return { arns: Roles.map((role) => template.arnOf(role)), document: { place: id, json: PolicyDocument } };
}

function readKeyPolicy(template: TemplateResources, id: string): [string, PolicyDocument[]] {
  return [template.arnOf(id), [{ place: id, json: template.read(id, keySchema).KeyPolicy }]];
}

function readQueuePolicy(template: TemplateResources, id: string): [string, PolicyDocument[]][] {
  const { PolicyDocument, Queues } = template.read(id, queuePolicySchema);
  return Queues.map((queue) => [template.arnOf(queue), [{ place: id, json: PolicyDocument }]]);
}

function guardedTable(template: TemplateResources, name: string): GuardedTable {
  const { keySchema, indexes } = readTable(template, name);
  return {
    name,
    arn: localArn('dynamodb', `table/${name}`),
    partitionKey: partitionKeyOf(keySchema),
    indexKeys: Object.fromEntries(indexes.map(({ IndexName, KeySchema }) => [IndexName, partitionKeyOf(KeySchema)])),
  };
}

function partitionKeyOf(schema: readonly KeySchemaElement[] = []): string {
  return schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
}
