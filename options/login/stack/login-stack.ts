import { hash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnOutput, Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Code, EventInvokeConfig, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { EndpointFunction } from '#lib/functions/endpoint-function.ts';
import type { AlarmDefinition } from '#lib/monitoring/alarm-definition.ts';
import { oneMinute, serviceMetric } from '#lib/monitoring/monitored-metrics.ts';
import type { AddToStack, CoreStack } from '#lib/option-stack.ts';
import type { LoginBranding, LoginProvider } from '#lib/settings/login-of-people.ts';
import type { Settings } from '#lib/settings/settings.ts';
import type { Stage } from '#lib/settings/stages.ts';
import type { CompanyProvider } from '../cognito/company-provider.ts';
import type { ClientStyle } from '../cognito/style-setting.ts';
import { PeoplePool } from './people-pool.ts';

/** With the setting `login`, people log in to applications by a user pool of the stack. */
export const addLogin: AddToStack = (stack, settings) => {
  if (settings.login === 'off') return undefined;
  const { decider, linker, synchronizer } = new Login(stack, 'Login', stack, settings);
  const deciders = linker === undefined ? [decider] : [decider, linker];
  return {
    functions: [...deciders, synchronizer],
    busyFunctions: [synchronizer],
    refusingFunctions: deciders,
    alarms: [failureAlarm(settings.stage, deciders)],
  };
};

/** Whoever is refused is an error too, which Cognito needs; the function counts those. */
function failureAlarm(stage: Stage, deciders: readonly EndpointFunction[]): AlarmDefinition {
  const period = oneMinute;
  const failures = deciders.map((fn, at) => [
    [`errors${at}`, fn.function.metricErrors({ period })],
    [`refused${at}`, serviceMetric(stage, 'LoginsRefused', { route: fn.name }, { period })],
  ]);
  return {
    name: 'login-failures',
    description: 'In two of five minutes, logins or refreshes fail that nobody has refused: people get no tokens.',
    metric: new MathExpression({
      expression: deciders.map((_, at) => `(FILL(errors${at}, 0) - FILL(refused${at}, 0))`).join(' + '),
      usingMetrics: Object.fromEntries(failures.flat()),
      label: 'Failures',
      period,
    }),
    threshold: 1,
    datapoints: [2, 5],
  };
}

/** Accounts are brought up to date by so few at once, below the limit of requests a second of Cognito. */
const synchronizers = 2;

/** What the function that brings the pool up to date may do with it. */
const mirrored = [
  'CreateUserPoolClient',
  'CreateManagedLoginBranding',
  'DescribeUserPoolClient',
  'UpdateUserPoolClient',
  'DeleteUserPoolClient',
  'ListUserPoolClients',
  'AdminCreateUser',
  'AdminGetUser',
  'AdminUpdateUserAttributes',
  'AdminEnableUser',
  'AdminDisableUser',
  'AdminUserGlobalSignOut',
  'AdminDeleteUser',
];

/** With a style of its own, that of clients from before. */
const restyled = ['DescribeManagedLoginBrandingByClient', 'UpdateManagedLoginBranding'];

/** What the Management API does itself: it reads accounts, and adds secrets, which it shows once. */
const managed = [
  'AdminGetUser',
  'DescribeUserPoolClient',
  'ListUserPoolClientSecrets',
  'AddUserPoolClientSecret',
  'DeleteUserPoolClientSecret',
];

/** What gives people their account when they log in at the provider of a company for the first time. */
const linked = ['AdminGetUser', 'AdminLinkProviderForUser'];

class Login extends Construct {
  readonly decider: EndpointFunction;
  readonly linker: EndpointFunction | undefined;
  readonly synchronizer: EndpointFunction;

  constructor(scope: Construct, id: string, stack: CoreStack, settings: Settings) {
    super(scope, id);
    this.decider = this.#createDecider(stack, settings);
    const { loginProvider: provider } = settings;
    this.linker = provider && this.#createLinker(stack, settings, provider);
    const people = new PeoplePool(this, 'People', {
      stage: settings.stage,
      decide: this.decider.function,
      serviceName: settings.loginBranding?.name,
      company: provider && this.linker && { provider, signUp: this.linker.function },
    });
    const { pool, issuer, pages } = people;
    this.synchronizer = this.#createSynchronizer(stack, settings, pool);
    // A client names the provider, which has to be there.
    if (people.provider !== undefined) this.synchronizer.function.node.addDependency(people.provider);
    if (this.linker !== undefined) allowApart(this.linker, pool);
    const { numberer } = stack.changeEvents;
    numberer.function.addEnvironment('SYNC_LOGIN_FUNCTION', this.synchronizer.function.functionArn);
    numberer.letInvoke(this.synchronizer.function);
    stack.table.grantUse(numberer, { writes: { UpdateItem: ['loginTask'] } });
    const { function: manage } = stack.manageApi;
    manage.function.addEnvironment('LOGIN_POOL_ID', pool.userPoolId);
    manage.function.addEnvironment('LOGIN_ISSUER', issuer);
    const known = { ...companyVariable(provider), ...styleVariable(settings.loginBranding) };
    for (const [name, value] of Object.entries(known)) manage.function.addEnvironment(name, value);
    allow(manage, managed, pool);
    const description = 'Issuer of the login of people, for applications';
    new CfnOutput(stack, 'LoginIssuer', { value: issuer, description });
    new CfnOutput(stack, 'LoginPages', { value: pages, description: 'Pages of the login of people' });
  }

  /** Not part of releases: Cognito invokes the function itself, and a version would need the pool's permission anew. */
  #createDecider({ table }: CoreStack, { stage }: Settings): EndpointFunction {
    const decider = new EndpointFunction(this, 'Decide', {
      name: 'pre-token-generation',
      stage,
      isReleased: false,
      environment: { TABLE_NAME: table.resource.tableName },
      // Cognito waits for 5 s, and tries three times.
      timeoutSeconds: 5,
    });
    table.grantUse(decider, { reads: ['application', 'user', 'login', 'format'] });
    return decider;
  }

  #createLinker({ table }: CoreStack, { stage }: Settings, provider: LoginProvider): EndpointFunction {
    const linker = new EndpointFunction(this, 'Link', {
      name: 'pre-sign-up',
      stage,
      isReleased: false,
      environment: { TABLE_NAME: table.resource.tableName, ...companyVariable(provider) },
      timeoutSeconds: 5,
    });
    table.grantUse(linker, { reads: ['user', 'format'] });
    return linker;
  }

  /** In a layer, because the environment of a function has 4 KB. */
  #addLogo(synchronizer: EndpointFunction, path: string): void {
    const folder = mkdtempSync(join(tmpdir(), 'auth-service-logo-'));
    copyFileSync(path, join(folder, logoFile));
    synchronizer.function.addLayers(new LayerVersion(this, 'Logo', { code: Code.fromAsset(folder) }));
    rmSync(folder, { recursive: true });
  }

  #createSynchronizer({ table }: CoreStack, settings: Settings, pool: UserPool): EndpointFunction {
    const { stage, standby, accountConcurrency, loginProvider, loginBranding } = settings;
    const synchronizer = new EndpointFunction(this, 'Sync', {
      name: 'sync-login',
      stage,
      isReleased: false,
      environment: {
        TABLE_NAME: table.resource.tableName,
        LOGIN_POOL_ID: pool.userPoolId,
        ...companyVariable(loginProvider),
        ...styleVariable(loginBranding),
      },
      memorySizeMb: 256,
      timeoutSeconds: 120,
    });
    table.grantUse(synchronizer, {
      reads: ['application', 'user', 'login', 'loginTask', 'format'],
      queries: ['loginTask'],
      writes: { PutItem: ['login'], DeleteItem: ['login', 'loginTask'], UpdateItem: ['loginTask'] },
    });
    allow(synchronizer, mirrored, pool);
    if (loginBranding !== undefined) allow(synchronizer, restyled, pool);
    if (loginBranding?.logo !== undefined) this.#addLogo(synchronizer, loginBranding.logo.path);
    // A new account has a quota of which nothing can be reserved.
    if (accountConcurrency >= 10 * synchronizers) synchronizer.reserveConcurrency(synchronizers);
    new EventInvokeConfig(synchronizer, 'Invocations', {
      function: synchronizer.function,
      retryAttempts: 2,
      maxEventAge: Duration.hours(6),
    });
    new Rule(this, 'EachMinute', {
      description: `Accounts and clients of ${stage.serviceName} that differ from the table`,
      schedule: Schedule.rate(Duration.minutes(1)),
      // The pool is in one Region.
      ...(standby === 'on' && { enabled: false }),
      targets: [new FunctionTarget(synchronizer.function, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    return synchronizer;
  }
}

/** Lambda has the files of a layer in this folder. */
const logoFile = 'login-logo';
const logoPath = `/opt/${logoFile}`;

/** The style, which has another id with another color or image. */
function styleVariable(branding: LoginBranding | undefined): Record<string, string> {
  if (branding?.color === undefined && branding?.logo === undefined) return {};
  const { color, logo } = branding;
  const image = logo === undefined ? '' : hash('sha256', readFileSync(logo.path), 'hex');
  const id = hash('sha256', `${color} ${image}`, 'hex').slice(0, 16);
  const style = { id, color, logo: logo && { path: logoPath, extension: logo.extension } } satisfies ClientStyle;
  return { LOGIN_STYLE: JSON.stringify(style) };
}

function allow(fn: EndpointFunction, actions: readonly string[], pool: UserPool): void {
  fn.role.addToPolicy(permissionOf(actions, pool));
}

/** In a policy of its own: the pool depends on the function, and the function on its role. */
function allowApart(linker: EndpointFunction, pool: UserPool): void {
  new Policy(linker, 'Accounts', { roles: [linker.role], statements: [permissionOf(linked, pool)] });
}

function permissionOf(actions: readonly string[], { userPoolArn }: UserPool): PolicyStatement {
  return new PolicyStatement({ actions: actions.map((action) => `cognito-idp:${action}`), resources: [userPoolArn] });
}

/** What the functions know of the provider of a company; it has no secret. */
function companyVariable(provider: LoginProvider | undefined): Record<string, string> {
  if (provider === undefined) return {};
  const { name, domains } = provider;
  const type = 'metadataUrl' in provider ? 'SAML' : 'OIDC';
  return { LOGIN_PROVIDER: JSON.stringify({ name, type, domains } satisfies CompanyProvider) };
}
