import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { settingNames } from '../../lib/settings/given-settings.ts';
import { tool } from '../client/install-package.ts';
import { functionsOf, resourcesOf, type Template } from '../stack/synthesized-stack.ts';
import { needing } from '../support/needing.ts';
import { attw } from '../support/tools.ts';
import { type ConstructsProject, installConstructs, templateAt } from './constructs-project.ts';

let project: ConstructsProject;
beforeAll(async () => {
  project = await installConstructs();
});
afterAll(() => project.remove());

const begin = `import { App, CfnOutput, Duration, Stack, Stage } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { AccessApplication, AuthService } from '@auth-service/cdk';
const app = new App();
`;
const synthesize = (text: string) => project.synthesize('app.mjs', `${begin}${text}`);
const one = (text: string): Template => templateAt(synthesize(`const stack = new Stack(app, 'One');\n${text}`), 'One');

/** How the template gives operators their roles. */
function operatorRoles(template: Template): Record<'arns' | 'limited', Record<string, string>> {
  const { Variables } = Object(functionsOf(template).get('manage')?.Properties.Environment) as {
    readonly Variables: {
      readonly OPERATOR_ROLES: { readonly 'Fn::Join': readonly [string, (string | { Ref: string })[]] };
    };
  };
  const [, parts] = Variables.OPERATOR_ROLES['Fn::Join'];
  return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join(''));
}

describe('the package', () => {
  test('has constructs for both module formats, functions, the dashboard, documentation and the notices of others', () => {
    const files = globSync('**/*.*', { cwd: project.installed });
    for (const file of ['dist/constructs.js', 'dist/constructs.cjs', 'dist/constructs.d.ts', 'dist/constructs.d.cts'])
      expect(files).toContain(file);
    for (const file of ['functions/get-access/index.js', 'functions/register-application/index.js'])
      expect(files).toContain(file);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'site/dashboard/index.html', 'site/docs/docs/errors.html']),
    );
    expect(readFileSync(join(project.installed, 'THIRD-PARTY.txt'), 'utf8')).toMatch(/^@middy\/core [\d.]+ \(MIT\)$/m);
    expect(existsSync(join(project.installed, 'LICENSE'))).toBe(true);
    expect(files.filter((file) => /\.ts$/.test(file) && !/\.d\.ts$/.test(file))).toEqual([]);
  });

  test('expects the CDK of the app that uses it, and brings no other package', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(project.installed, 'package.json'), 'utf8'),
    );
    expect([dependencies, Object.keys(peerDependencies)]).toEqual([undefined, ['aws-cdk-lib', 'constructs']]);
    for (const file of ['constructs.js', 'constructs.cjs']) {
      const code = readFileSync(join(project.installed, 'dist', file), 'utf8');
      const imported = [...code.matchAll(/(?:^import .*? from |^\} from |require\()"([^"]+)"/gm)].map(
        ([, name = '']) => name,
      );
      expect(imported.length).toBeGreaterThan(10);
      expect(imported.filter((name) => !/^(?:node:|aws-cdk-lib|constructs)/.test(name))).toEqual([]);
      expect(code).not.toContain('devDependencies');
    }
  });

  needing('attw').test('has types for every module resolution', () => {
    const report = JSON.parse(project.run(attw, project.tarball, '--format', 'json', '--profile', 'node16'));
    expect(report.analysis.problems ?? report.problems ?? []).toEqual([]);
  });

  test('has a property for each setting but the Region, which is the one of the stack', () => {
    const text = readFileSync(join(project.installed, 'dist/settings/auth-service-props.d.ts'), 'utf8');
    const names = [...text.matchAll(/^ {4}readonly (\w+)\?:/gm)].map(([, name = '']) => name);
    expect(names.sort()).toEqual([...settingNames.filter((name) => name !== 'region'), 'serviceName'].sort());
  });

  test('the README deploys from an empty folder', () => {
    const readme = readFileSync(join(project.installed, 'README.md'), 'utf8');
    const [, text = ''] = /`app\.mjs`:\n\n```js\n(.*?)```/s.exec(readme) ?? [];
    const assembly = project.synthesize('app.mjs', text);
    expect(functionsOf(templateAt(assembly, 'Access')).has('get-access')).toBe(true);
    const registered = resourcesOf(templateAt(assembly, 'Billing'), 'Custom::AccessApplicationRole');
    expect([...registered.values()].map(({ Properties }) => Properties.Role)).toEqual(['editor']);
    const commonJs = text.replaceAll(/^import (\{.*?\}) from ('.*?');$/gm, 'const $1 = require($2);');
    expect(commonJs).not.toContain('import ');
    expect(templateAt(project.synthesize('app.cjs', commonJs), 'Access')).toEqual(templateAt(assembly, 'Access'));
  });

  test('its types are used without settings of the compiler for this package', () => {
    project.write(
      'app.ts',
      `import { App, Duration, Stack } from 'aws-cdk-lib';
import { AccessApplication, AuthService, type AuthServiceProps } from '@auth-service/cdk';
const props: AuthServiceProps = { stage: 'prod', endpoints: ['scim'], tracing: true, monthlyBudget: 50 };
const service = new AuthService(new Stack(new App(), 'S', { env: { region: 'eu-central-1' } }), 'Auth', props);
new AccessApplication(service, 'A', { service, appId: 'billing', roles: [{ name: 'editor' }], rotateEvery: Duration.days(7) });
// @ts-expect-error: no such stage
new AuthService(service, 'B', { stage: 'test' });
// @ts-expect-error: no such setting
new AuthService(service, 'C', { colour: 'red' });
export const table: string = service.table.tableArn;
`,
    );
    for (const module of ['nodenext', 'preserve']) {
      const resolution = module === 'preserve' ? ['--moduleResolution', 'bundler'] : [];
      project.run(
        tool('tsc'),
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--target',
        'es2022',
        '--module',
        module,
        ...resolution,
        'app.ts',
      );
    }
  });
});

describe('a service', () => {
  test('takes name, environment and protection of the stack that contains it', () => {
    const assembly = synthesize(`const stack = new Stack(app, 'One', {
  stackName: 'Company-Access', env: { account: '111122223333', region: 'eu-north-1' }, terminationProtection: true });
new AuthService(stack, 'Auth', { dashboard: 'none' });`);
    const { artifacts } = JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8'));
    expect(artifacts.One).toMatchObject({
      environment: 'aws://111122223333/eu-north-1',
      properties: { stackName: 'Company-Access', terminationProtection: true },
    });
    expect(JSON.stringify(templateAt(assembly, 'One'))).toContain(':role/Company-Access-');
  });

  test('is there twice in one app: in stages, in two Regions, and beside each other under two names', () => {
    const assembly = synthesize(`for (const [name, region] of [['Europe', 'eu-central-1'], ['America', 'us-east-1']]) {
  const stage = new Stage(app, name, { env: { account: '111122223333', region } });
  new AuthService(new Stack(stage, 'Access'), 'Auth', { stage: 'prod' });
}
new AuthService(new Stack(app, 'First'), 'Auth', {});
new AuthService(new Stack(app, 'Second'), 'Auth', { serviceName: 'second' });`);
    for (const [folder, name] of [
      ['assembly-Europe', 'EuropeAccess'],
      ['assembly-America', 'AmericaAccess'],
    ] as const) {
      const [file = ''] = globSync(`${folder}/*.template.json`, { cwd: assembly });
      expect(file).toContain(name);
      const template: Template = JSON.parse(readFileSync(join(assembly, file), 'utf8'));
      expect([...functionsOf(template).keys()]).toContain('check-release');
    }
    const bus = (stack: string) => [...resourcesOf(templateAt(assembly, stack), 'AWS::Events::EventBus').values()][0];
    expect([bus('First'), bus('Second')]).toMatchObject([
      { Properties: { Name: 'auth-service-dev' } },
      { Properties: { Name: 'second' } },
    ]);
  });

  test('is in the assembly of a pipeline', () => {
    const assembly =
      synthesize(`const { CodePipeline, CodePipelineSource, ShellStep } = await import('aws-cdk-lib/pipelines');
const { Bucket } = await import('aws-cdk-lib/aws-s3');
const stack = new Stack(app, 'Pipeline', { env: { account: '111122223333', region: 'eu-central-1' } });
const input = CodePipelineSource.s3(new Bucket(stack, 'Source'), 'source.zip');
const pipeline = new CodePipeline(stack, 'Deliver', { synth: new ShellStep('Synth', { input, commands: ['npx cdk synth'] }) });
const stage = new Stage(app, 'Prod', { env: { account: '111122223333', region: 'eu-central-1' } });
new AuthService(new Stack(stage, 'Access'), 'Auth', { stage: 'prod' });
pipeline.addStage(stage);
app.synth();`);
    expect(globSync('assembly-Prod/*.template.json', { cwd: assembly })).toHaveLength(1);
  });

  test.each([
    ['{ stage: "test" }', 'The setting stage must be one of dev, staging, prod, not test'],
    ['{ colour: "red" }', 'There is no setting colour'],
    ['{ monthlyBudget: -1 }', 'The setting monthlyBudget must be a whole number from 1 to 999999, not -1'],
    ['{ alarmEmail: 7 }', 'The setting alarmEmail has an invalid value'],
    ['{ serviceName: "Ours!" }', 'The setting serviceName must begin with a lower-case letter'],
    ['{ endpoints: ["soap"] }', 'The setting endpoints must list some of'],
  ])('with the properties %s is refused: %s', (props, reason) => {
    expect(() => one(`new AuthService(stack, 'Auth', ${props});`)).toThrow(reason);
  });

  test('beside another of its name is refused', () => {
    const both = `new AuthService(new Stack(app, 'A'), 'Auth'); new AuthService(new Stack(app, 'B'), 'Auth');`;
    expect(() => synthesize(both)).toThrow('would both be auth-service-dev in the same account and Region');
  });

  test('in a nested stack is refused', () => {
    const nested = `const { NestedStack } = await import('aws-cdk-lib');
new AuthService(new NestedStack(new Stack(app, 'A'), 'N'), 'Auth');`;
    expect(() => synthesize(nested)).toThrow('is in a nested stack');
  });

  test('makes IAM roles operators: of everything, or of one application also where nobody is named', () => {
    const roles = `const role = (id) => new Role(stack, id, { roleName: id, assumedBy: new ServicePrincipal('lambda.amazonaws.com') });`;
    const template = one(`${roles}
const service = new AuthService(stack, 'Auth', { dashboard: 'none', iamRoles: { 'arn:aws:iam::111122223333:user/root': 'admin' } });
service.grantManage(role('tool'), 'viewer');
service.addApplicationRole('crm', role('desk'));
service.allowRegistration('billing');
service.allowRegistration('shop', 'shop-prod');`);
    const session = (name: string) => `arn:<AWS::Partition>:sts::<AWS::AccountId>:assumed-role/${name}/*`;
    const [tool, desk] = ['tool', 'desk'].map((name) => {
      const found = [...resourcesOf(template, 'AWS::IAM::Role')].find(
        ([, { Properties }]) => Properties.RoleName === name,
      );
      return session(`<${found?.[0]}>`);
    });
    expect(operatorRoles(template)).toMatchObject({
      arns: { 'arn:aws:iam::111122223333:user/root': 'admin' },
      limited: {
        [tool ?? '']: 'viewer',
        [desk ?? '']: 'support:crm',
        [session('billing-registration')]: 'admin:billing',
        [session('shop-prod')]: 'admin:shop',
      },
    });
  });

  test.each([
    ["service.allowRegistration('B')", 'admin:B is not a role such as support'],
    [
      "for (const appId of ['one', 'two']) service.allowRegistration(appId, 'both')",
      'An IAM role can be limited to one role only, admin:one or admin:two',
    ],
  ])('refuses %s: %s', (call, reason) => {
    expect(() => one(`const service = new AuthService(stack, 'Auth', { dashboard: 'none' });\n${call};`)).toThrow(
      reason,
    );
  });
});

describe('an application', () => {
  const withService = `const service = AuthService.fromAttributes(stack, 'Service', { url: 'https://auth.example.com/',
  manageUrl: 'https://manage.example.com/', manageCallersPolicyArn: 'arn:aws:iam::111122223333:policy/Callers' });
`;
  const application = (props: string) =>
    one(`${withService}new AccessApplication(stack, 'Billing', { service, ${props} });`);

  test('of a service of another repository registers with it, and its key is in a secret that CloudFormation never sees', () => {
    const template = application("appId: 'billing', roles: ['editor', { name: 'viewer', description: 'Reads' }]");
    const [role] = [...resourcesOf(template, 'AWS::IAM::Role').values()];
    expect(role?.Properties).toMatchObject({
      RoleName: 'billing-registration',
      ManagedPolicyArns: ['arn:aws:iam::111122223333:policy/Callers'],
    });
    const [key] = [...resourcesOf(template, 'Custom::AccessApplicationKey').values()];
    expect(key?.Properties).toMatchObject({ Scopes: 'access:read', Url: 'https://auth.example.com/' });
    const [secret] = [...resourcesOf(template, 'AWS::SecretsManager::Secret').values()];
    expect(secret?.Properties).not.toHaveProperty('SecretString');
    expect(template.Outputs ?? {}).toEqual({});
    const [rotation] = [...resourcesOf(template, 'AWS::SecretsManager::RotationSchedule').values()];
    expect(rotation?.Properties).toMatchObject({ RotationRules: { ScheduleExpression: 'rate(30 days)' } });
  });

  test('with redirect addresses has a login, whose client id the template can use', () => {
    const props = "appId: 'billing', redirectUris: ['https://billing.example.com/callback']";
    const template =
      one(`${withService}const { login } = new AccessApplication(stack, 'Billing', { service, ${props} });
new CfnOutput(stack, 'ClientId', { value: login.clientId });`);
    const [[id, login] = ['']] = [...resourcesOf(template, 'Custom::AccessApplicationLogin')];
    const RedirectUris = JSON.stringify(['https://billing.example.com/callback']);
    expect(login?.Properties).toMatchObject({ AppId: 'billing', RedirectUris, LogoutUris: '[]' });
    expect(template.Outputs).toMatchObject({ ClientId: { Value: { 'Fn::GetAtt': [id, 'ClientId'] } } });
    expect(resourcesOf(application("appId: 'billing'"), 'Custom::AccessApplicationLogin').size).toBe(0);
  });

  test('with a confidential client keeps its secret with the key, which comes after the login', () => {
    const template = application(
      "appId: 'billing', redirectUris: ['https://billing.example.com/callback'], clientType: 'confidential'",
    );
    const [[id, login] = ['']] = [...resourcesOf(template, 'Custom::AccessApplicationLogin')];
    const [[, key] = ['']] = [...resourcesOf(template, 'Custom::AccessApplicationKey')];
    expect([login?.Properties.ClientType, key?.Properties.ClientType]).toEqual(['confidential', 'confidential']);
    expect(key?.DependsOn).toContain(id);
    const functions = [...resourcesOf(template, 'AWS::Lambda::Function').values()];
    expect(functions.filter(({ Properties }) => JSON.stringify(Properties).includes('confidential'))).toHaveLength(1);
    expect(template.Outputs ?? {}).toEqual({});
  });

  test('may read and write no secret but its own', () => {
    const [policy] = [...resourcesOf(application("appId: 'billing'"), 'AWS::IAM::Policy').values()];
    const { Statement: statements } = Object(policy?.Properties.PolicyDocument) as {
      readonly Statement: readonly { readonly Action: unknown; readonly Resource: unknown }[];
    };
    const open = statements.filter(({ Resource }) => Resource === '*').map(({ Action }) => Action);
    expect(open).toEqual(['secretsmanager:GetRandomPassword']);
  });

  test.each([
    ["appId: 'B'", 'appId must be 2–40 lower-case letters'],
    ["appId: 'billing', roles: ['no role']", 'The name of a role must be 1–64 letters'],
    ["appId: 'billing', clientType: 'confidential'", 'clientType confidential needs redirectUris'],
    ["appId: 'billing', scopes: ['everything']", 'scopes may be access:read'],
  ])('with %s is refused before a deployment: %s', (props, reason) => {
    expect(() => application(props)).toThrow(reason);
  });

  test('that is retained stays when it leaves the stack', () => {
    const template = application("appId: 'billing', roles: ['editor'], removalPolicy: 'retain'");
    const types = ['Custom::AccessApplication', 'Custom::AccessApplicationRole', 'Custom::AccessApplicationKey'];
    for (const type of [...types, 'AWS::SecretsManager::Secret']) {
      expect([...resourcesOf(template, type).values()]).toMatchObject([{ DeletionPolicy: 'Retain' }]);
    }
  });
});
