import * as v from 'valibot';
import { LocalError } from '../local-error.ts';
import type { TemplateResources } from '../template-resources.ts';
import { compilePolicy, type Statement } from './statements.ts';

/** All policies in the template. */
export interface StackPolicies {
  /** The policies of each role, by its ARN. */
  readonly roles: ReadonlyMap<string, readonly Statement[]>;
  /** The ARN of the role of each function, by the function's logical id. */
  readonly roleOf: ReadonlyMap<string, string>;
  /** The policies of each resource that has one, by its ARN. */
  readonly resources: ReadonlyMap<string, readonly Statement[]>;
}

/**
 * Reads the policies of roles, KMS keys and queues; throws a LocalError that names any policy it cannot evaluate or
 * does not read.
 */
export function readPolicies(template: TemplateResources): StackPolicies {
  requireNoUnreadPolicies(template);
  const idsOf = (type: string) => template.idsOf([type]);
  const policies = idsOf('AWS::IAM::Policy').map((id) => readRolePolicy(template, id));
  const statementsOf = (role: string) =>
    policies.flatMap(({ roles, statements }) => (roles.includes(role) ? statements : []));
  return {
    roles: new Map(idsOf('AWS::IAM::Role').map((id) => [template.arnOf(id), statementsOf(id)])),
    roleOf: new Map(idsOf('AWS::Lambda::Function').map((id) => [id, template.read(id, functionSchema).Role])),
    resources: new Map([
      ...idsOf('AWS::KMS::Key').map((id) => readKeyPolicy(template, id)),
      ...idsOf('AWS::SQS::QueuePolicy').flatMap((id) => readQueuePolicy(template, id)),
    ]),
  };
}

const none = v.optional(v.undefined('has a policy that the local run does not read'));
/** Unread properties that could grant permissions or take some away. */
const unreadProperties = {
  'AWS::IAM::ManagedPolicy': v.object({ Roles: none }),
  'AWS::IAM::Role': v.object({ Policies: none, ManagedPolicyArns: none, PermissionsBoundary: none }),
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
const policySchema = v.object({ PolicyDocument: v.unknown(), Roles: v.array(v.string()) });
const keySchema = v.object({ KeyPolicy: v.unknown() });
const queuePolicySchema = v.object({ PolicyDocument: v.unknown(), Queues: v.array(v.string()) });

function readRolePolicy(template: TemplateResources, id: string) {
  const { PolicyDocument, Roles: roles } = template.read(id, policySchema);
  return { roles, statements: compilePolicy(PolicyDocument, id) };
}

function readKeyPolicy(template: TemplateResources, id: string): [string, Statement[]] {
  return [template.arnOf(id), compilePolicy(template.read(id, keySchema).KeyPolicy, id)];
}

function readQueuePolicy(template: TemplateResources, id: string): [string, Statement[]][] {
  const { PolicyDocument, Queues } = template.read(id, queuePolicySchema);
  return Queues.map((queue) => [template.arnOf(queue), compilePolicy(PolicyDocument, id)]);
}
