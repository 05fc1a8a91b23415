import * as v from 'valibot';
import { LocalError } from '../local-error.ts';
import type { TemplateResources } from '../template-resources.ts';
import { compilePolicy, type Statement } from './statements.ts';

/** All that the template says about who may do what. */
export interface StackPolicies {
  /** Of each role, by its ARN. */
  readonly roles: ReadonlyMap<string, readonly Statement[]>;
  /** The ARN of the role of each function, by the function's logical id. */
  readonly roleOf: ReadonlyMap<string, string>;
  /** Of each resource that has a policy of its own, by its ARN. */
  readonly resources: ReadonlyMap<string, readonly Statement[]>;
}

/** Reads the policies of roles, KMS keys and queues; a LocalError names a policy that it cannot evaluate, and where one is that it does not read. */
export function readPolicies(template: TemplateResources): StackPolicies {
  requireNoOthers(template);
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

const none = v.optional(v.undefined('holds a policy that is not read'));
/** The properties by which resources could get permissions, or lose some, that are not read. */
const unreadProperties = {
  'AWS::IAM::ManagedPolicy': v.object({ Roles: none }),
  'AWS::IAM::Role': v.object({ Policies: none, ManagedPolicyArns: none, PermissionsBoundary: none }),
  'AWS::DynamoDB::GlobalTable': v.object({ Replicas: v.optional(v.array(v.object({ ResourcePolicy: none }))) }),
  'AWS::DynamoDB::Table': v.object({ ResourcePolicy: none }),
  'AWS::Events::EventBus': v.object({ Policy: none }),
};
const unreadTypes = ['AWS::IAM::RolePolicy', 'AWS::Events::EventBusPolicy'];

function requireNoOthers(template: TemplateResources): void {
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
