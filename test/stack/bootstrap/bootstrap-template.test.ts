import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { bootstrapTemplate, executionPolicies, lengthOf } from '../../../lib/bootstrap/bootstrap-template.ts';
import { boundaryStatements, namesOfStage } from '../../../lib/bootstrap/permissions-boundary.ts';
import { stages } from '../../../lib/settings/stages.ts';
import type { Template } from '../synthesized-stack.ts';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'auth-service-bootstrap-'));
const environment = {
  ...process.env,
  PATH: [join(project, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
};
/** The longest of all: the stage with the longest name, and every setting that adds something. */
const scope = {
  stage: stages.staging,
  names: namesOfStage(stages.staging),
  hasReplicas: true,
};
const cdk = async (...args: string[]) => (await runFile('cdk', args, { cwd: project, env: environment })).stdout;
const original = JSON.parse(await cdk('bootstrap', '--show-template', '--json'));
const template = bootstrapTemplate(original, scope) as Template;
const text = (id: string) => JSON.stringify(template.Resources[id]);

/** Imitates CloudFormation with a bootstrap of this variant, or with none. */
let variant: string | undefined;
const cloudFormation = createServer((_, response) => {
  const parameter = `<member><ParameterKey>BootstrapVariant</ParameterKey><ParameterValue>${variant}</ParameterValue></member>`;
  const stack = `<StackId>arn:aws:cloudformation:eu-central-1:111122223333:stack/CDKToolkit-authsvc/1</StackId><StackName>CDKToolkit-authsvc</StackName><Parameters>${parameter}</Parameters>`;
  if (variant === undefined) return void response.writeHead(400).end(missing);
  response.end(
    `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
});
const missing =
  '<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id CDKToolkit-authsvc does not exist</Message></Error></ErrorResponse>';
afterAll(() => {
  cloudFormation.close();
  rmSync(folder, { recursive: true });
});

describe('the template of the bootstrap', () => {
  test('gives CloudFormation its execution policies, and not AdministratorAccess', () => {
    expect(JSON.stringify(template)).not.toContain('AdministratorAccess');
    const ids = Object.keys(template.Resources).filter((id) => id.startsWith('ExecutionPolicy'));
    expect(ids.length).toBeGreaterThan(1);
    expect(template.Resources.CloudFormationExecutionRole?.Properties.ManagedPolicyArns).toEqual(
      ids.map((id) => ({ Ref: id })),
    );
  });

  test('has the permissions boundary that the roles of the stacks name', () => {
    expect(template.Resources.Boundary).toMatchObject({
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { ManagedPolicyName: { 'Fn::Sub': `cdk-\${Qualifier}-boundary-\${AWS::AccountId}-\${AWS::Region}` } },
    });
  });

  test('has a role for lookups that reads templates and no data', () => {
    expect(text('LookupRole')).not.toMatch(/ReadOnlyAccess|ManagedPolicyArns|dynamodb|s3:/);
    expect(text('LookupRole')).toContain('cloudformation:GetTemplate');
  });

  test("has a role for deployments that can use only the stage's stacks", () => {
    const { Properties } = template.Resources.DeploymentActionRole as unknown as {
      Properties: { Policies: [{ PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown }[] } }] };
    };
    const ofStacks = Properties.Policies[0].PolicyDocument.Statement.filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith('cloudformation:')),
    );
    expect(ofStacks.length).toBe(2);
    for (const { Resource } of ofStacks) {
      expect(JSON.stringify(Resource).match(/stack\/[^"]*/g)).toEqual([
        'stack/AuthService-staging/*',
        'stack/AuthService-staging-*/*',
      ]);
    }
    expect(text('DeploymentActionRole')).not.toContain('StringNotEquals');
  });

  test('is small enough for CloudFormation, as the CDK writes it, and so are its policies', async () => {
    const file = join(folder, 'template.json');
    writeFileSync(file, JSON.stringify(template));
    // Without a bucket, a template can have 51,200 bytes (AWS CloudFormation user guide, "Understand CloudFormation quotas").
    expect((await cdk('bootstrap', '--show-template', '--template', file)).length).toBeLessThan(51_200);
    const policies = [...Object.values(executionPolicies(scope)), boundaryStatements(scope.names)];
    for (const statements of policies) expect(lengthOf(statements)).toBeLessThanOrEqual(6144);
    // IAM's default quota of managed policies per role.
    expect(policies.length - 1).toBeLessThanOrEqual(10);
  });

  test('is not written if the CDK changes what the role for deployments may do', () => {
    const changed = structuredClone(original);
    const [{ PolicyDocument }] = changed.Resources.DeploymentActionRole.Properties.Policies;
    PolicyDocument.Statement.push({ Sid: 'Everything', Effect: 'Allow', Action: '*', Resource: '*' });
    expect(() => bootstrapTemplate(changed, scope)).toThrow(/new statement Everything/);
    const { LookupRole: _, ...Resources } = original.Resources;
    expect(() => bootstrapTemplate({ ...original, Resources }, scope)).toThrow(/LookupRole/);
  });
});

describe('npm run bootstrap', () => {
  const bootstrap = async (...args: string[]) => {
    await new Promise<void>((resolve) => {
      if (cloudFormation.listening) resolve();
      else cloudFormation.listen(0, '127.0.0.1', resolve);
    });
    const env = {
      ...environment,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    return runFile(process.execPath, [join(project, 'bin/bootstrap.ts'), ...args], { cwd: project, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };
  const place = 'aws://111122223333/eu-central-1';

  test('--dry-run prints the template and the command, and calls nothing', async () => {
    const { code, stdout, stderr } = await bootstrap(place, '-c', 'stage=prod', '--trust', '444455556666', '--dry-run');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).Parameters.BootstrapVariant.Default).toBe('auth-service: prod');
    expect(stderr).toContain(`cdk bootstrap ${place} --toolkit-stack-name CDKToolkit-authsvc --qualifier authsvc`);
    expect(stderr).toContain('arn:aws:iam::111122223333:policy/cdk-authsvc-execution-1-111122223333-eu-central-1,');
    expect(stderr).toContain('--trust 444455556666');
  });

  test('--help says what it does', async () => {
    const { code, stdout } = await bootstrap('--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('aws://<account>/<Region> -c stage=')]);
  });

  test('does not replace the bootstrap of another stage', async () => {
    variant = 'auth-service: staging';
    const { code, stderr } = await bootstrap(place, '-c', 'stage=prod');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/"auth-service: staging", not "auth-service: prod".*bootstrapQualifier/),
    ]);
  });

  test.each([
    [['eu-central-1', '-c', 'stage=prod'], /Name one account and Region/],
    [[place, '-c', 'stage=production'], /stage must be one of/],
    [
      [place, '-c', 'stage=prod', '-c', 'auth-service={"accounts":{"prod":{"id":"444455556666"}}}'],
      /The stage prod belongs to the account 444455556666/,
    ],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await bootstrap(...args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});
