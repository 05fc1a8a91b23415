import { describe, expect, test } from '@jest/globals';
import { boundaryStatements, namesOfStage } from '../../../lib/bootstrap/permissions-boundary.ts';
import { fillIn } from '../../../lib/bootstrap/policy-document.ts';
import { stages } from '../../../lib/settings/stages.ts';
import { decide } from '../../../local/iam/policy-decision.ts';
import { compilePolicy } from '../../../local/iam/statements.ts';
import { resolveIntrinsics } from '../../../local/resolve-intrinsics.ts';
import { policiesOf } from '../role-permissions.ts';
import { resourcesOf, type Template } from '../synthesized-stack.ts';
import { everyTemplate } from './every-template.ts';

const templates = await everyTemplate();
const account = '000000000000';
const values = { 'AWS::Partition': 'aws', 'AWS::Region': 'local', 'AWS::AccountId': account, Qualifier: 'authsvc' };
const boundaryOf = (stage: keyof typeof stages) => fillIn(boundaryStatements(namesOfStage(stages[stage])), values);
const compile = (Statement: unknown) =>
  compilePolicy('identity', { place: 'p', json: { Version: '2012-10-17', Statement } });
const everything = compile([{ Effect: 'Allow', Action: '*', Resource: '*' }]);
const prod = compile(boundaryOf('prod'));

/** The ARN of a resource of the stack as CloudFormation names it: the stack, the logical id, and a random part. */
function arnIn(template: Template, id: string, attribute: string): string | undefined {
  const name = `AuthService-prod-${id.slice(0, 24)}-1A2B3C4D5E6F`;
  const { Type = '' } = template.Resources[id] ?? {};
  const formats: Readonly<Record<string, string>> = {
    'AWS::DynamoDB::GlobalTable.Arn': `dynamodb:local:${account}:table/${name}`,
    'AWS::DynamoDB::GlobalTable.StreamArn': `dynamodb:local:${account}:table/${name}/stream/1`,
    'AWS::Lambda::Function.Arn': `lambda:local:${account}:function:${name}`,
    'AWS::Lambda::Version.Ref': `lambda:local:${account}:function:${name}:1`,
    'AWS::Lambda::Alias.Ref': `lambda:local:${account}:function:${name}:live`,
    'AWS::KMS::Key.Arn': `kms:local:${account}:key/1`,
    'AWS::KMS::ReplicaKey.Arn': `kms:local:${account}:key/1`,
    'AWS::IAM::Role.Arn': `iam::${account}:role/${name}`,
    'AWS::Logs::LogGroup.Arn': `logs:local:${account}:log-group:${name}:*`,
    'AWS::SQS::Queue.Arn': `sqs:local:${account}:${name}`,
    'AWS::Events::EventBus.Arn': `events:local:${account}:event-bus/auth-service`,
    'AWS::Events::ApiDestination.Arn': `events:local:${account}:api-destination/${id}/1`,
    'AWS::Cognito::UserPool.Arn': `cognito-idp:local:${account}:userpool/local_1A2B3C`,
    'AWS::S3::Bucket.Arn': `s3:::${name.toLowerCase()}`,
  };
  const format = formats[`${Type}.${attribute}`];
  return format && `arn:aws:${format}`;
}

interface Allowed {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

/** What the roles' own policies allow, for each action and resource; a wildcard stands for itself. */
function allowedIn(template: Template): Allowed[] {
  const references = {
    ref: (id: string) => arnIn(template, id, 'Ref') ?? id,
    attribute: (id: string, name: string) => arnIn(template, id, name),
  };
  return policiesOf(template).flatMap((policy) => {
    const { PolicyDocument, Roles } = resolveIntrinsics(inLocalAccount(policy), references, 'policy') as {
      PolicyDocument: { Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[] };
      Roles: string[];
    };
    return PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action, Resource }) =>
      [Action]
        .flat()
        .flatMap((action) =>
          [Resource].flat().flatMap((resource) => Roles.map((role) => ({ role, action, resource }))),
        ),
    );
  });
}

/** The pseudo parameters are those of the local run, while these templates also name their Region and an account. */
function inLocalAccount(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll('eu-central-1', 'local').replaceAll('123456789012', account);
  return JSON.parse(
    text.replaceAll('{"Ref":"AWS::StackId"}', `"arn:aws:cloudformation:local:${account}:stack/AuthService-prod/1"`),
  );
}

const allowed = ['everything', 'standby'].flatMap((name) => allowedIn(templates.get(name) as Template));
const decision = ({ action, resource, role = 'Any' }: Partial<Allowed> & Pick<Allowed, 'action' | 'resource'>) => {
  const principal = roleArn(role);
  return decide({ action, resource, context: contextOf(role, resource) }, principal, {
    identity: everything,
    boundary: prod,
    // Leaves the decision to the role and its boundary.
    resource: compilePolicy('resource', {
      place: 'key',
      json: {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: { AWS: `arn:aws:iam::${account}:root` } },
        ],
      },
    }),
  });
};

/** Every resource of a stack has its tag. */
function contextOf(role: string, resource: string): Record<string, string> {
  const service = resource.endsWith('_Foreign') ? 'payroll' : 'auth-service';
  return { 'aws:PrincipalArn': roleArn(role), 'aws:ResourceTag/service': service };
}

function roleArn(role: string): string {
  return `arn:aws:iam::${account}:role/AuthService-prod-${role}`;
}

test('every role of every stack has the permissions boundary', () => {
  const roles = [...templates].flatMap(([name, template]) =>
    [...resourcesOf(template, 'AWS::IAM::Role')].map(([id, { Properties }]) => [`${name} ${id}`, Properties] as const),
  );
  expect(roles.length).toBeGreaterThan(30);
  for (const [role, { PermissionsBoundary }] of roles) {
    expect([role, JSON.stringify(PermissionsBoundary)]).toEqual([
      role,
      expect.stringMatching(/:policy\/cdk-authsvc-boundary-/),
    ]);
  }
});

test('the boundary allows what the policies of every role allow', () => {
  expect(allowed.length).toBeGreaterThan(200);
  expect(allowed.filter((permission) => decision(permission) !== 'allowed')).toEqual([]);
});

test('the boundary allows nothing that no role needs', () => {
  const unused = boundaryOf('prod').flatMap((statement) => {
    if (statement.Sid === 'Backups') return [];
    return statement.Action.filter((Action) => {
      const [only] = compile([{ ...statement, Action }]);
      return !allowed.some(({ role, action, resource }) => {
        return only?.applies({ action, resource, context: contextOf(role, resource) }, roleArn(role));
      });
    }).map((action) => `${statement.Sid}: ${action}`);
  });
  expect(unused).toEqual([]);
});

describe('a role that a template allows everything', () => {
  test.each([
    ['iam:CreateUser', '*'],
    ['sts:AssumeRole', `arn:aws:iam::${account}:role/Admin`],
    ['dynamodb:PutItem', `arn:aws:dynamodb:local:${account}:table/Orders`],
    ['dynamodb:Scan', `arn:aws:dynamodb:local:${account}:table/AuthService-prod-Items`],
    ['dynamodb:PutItem', `arn:aws:dynamodb:local:${account}:table/AuthService-staging-Items`],
    ['lambda:UpdateFunctionCode', `arn:aws:lambda:local:${account}:function:AuthService-prod-Manage`],
    ['kms:Decrypt', `arn:aws:kms:local:${account}:key/1`],
    ['kms:PutKeyPolicy', `arn:aws:kms:local:${account}:key/1`],
    ['s3:GetObject', 'arn:aws:s3:::payroll/salaries.csv'],
    ['events:PutEvents', `arn:aws:events:local:${account}:event-bus/auth-service-staging`],
  ])('still cannot %s on %s', (action, resource) => {
    expect(decision({ action, resource })).toBe('implicitly denied');
  });

  test('can back up the table only if it is the role of the backups', () => {
    const backup = { action: 'dynamodb:StartAwsBackupJob', resource: `arn:aws:dynamodb:local:${account}:table/Items` };
    expect(decision(backup)).toBe('implicitly denied');
    expect(decision({ ...backup, role: 'BackupRole4CD139C5-1A2B3C4D5E6F' })).toBe('allowed');
  });

  test('can find what no list has only if it is the role of the Management API, which repairs', () => {
    const scan = {
      action: 'dynamodb:Scan',
      resource: `arn:aws:dynamodb:local:${account}:table/AuthService-prod-Items`,
    };
    expect(decision({ ...scan, role: 'GetAccessRole4CD139C5-1A2B3C4D5E6F' })).toBe('implicitly denied');
    expect(decision({ ...scan, role: 'ManageApiManageRole4CD139C5-1A2B3C4D5E6F' })).toBe('allowed');
  });

  test('can change accounts only in a user pool of the stage', () => {
    const action = 'cognito-idp:AdminDisableUser';
    const pool = (id: string) => `arn:aws:cognito-idp:local:${account}:userpool/local_${id}`;
    expect(decision({ action, resource: pool('1A2B3C') })).toBe('allowed');
    expect(decision({ action, resource: pool('Foreign') })).toBe('implicitly denied');
  });

  test.each([
    ['dynamodb:Scan', `arn:aws:dynamodb:local:${account}:table/AuthService-prod-Items`],
    ['kms:Sign', `arn:aws:kms:local:${account}:key/1`],
    ['s3:PutObject', 'arn:aws:s3:::authservice-backupvault-heads/auth-service/1/00001.jsonl'],
  ])('can %s only if it is the role that signs heads', (action, resource) => {
    expect(decision({ action, resource })).toBe('implicitly denied');
    expect(decision({ action, resource, role: 'HeadSigningSignRole4CD139C5-1A2B3C4D5E6F' })).toBe('allowed');
  });
});
