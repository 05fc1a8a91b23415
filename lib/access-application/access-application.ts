import { join } from 'node:path';
import { Aws, CustomResource, Duration, Names, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import { type Grant, type IGrantable, type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, type IFunction, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type ISecret, RotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import * as v from 'valibot';
import { appIdSchema, roleNameSchema } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { bundleFunction } from '../functions/bundle-function.ts';
import { type IAuthService, registrationRoleName } from '../service-construct.ts';
import { type RegistrationProperties, resourceTypes } from './resource-types.ts';

/** A role of the application, which operators assign to users. */
export interface ApplicationRole {
  readonly name: string;
  readonly description?: string;
}

/** By which an application finds the login of the service. */
export interface ApplicationLogin {
  /** The issuer, for OpenID Connect Discovery. */
  readonly issuer: string;
  /** The client id of the application there. */
  readonly clientId: string;
}

/** What a key may do, as in the API description. */
export type KeyScope = 'access:read' | 'access:write' | 'roles:write' | 'webhooks:write';

export interface AccessApplicationProps {
  /** The service, of this app or `AuthService.fromAttributes`; its team has called `allowRegistration` for `appId`. */
  readonly service: IAuthService;
  /** An id that no other application has or had. */
  readonly appId: string;
  /** What operators see. Default: `appId`. */
  readonly name?: string;
  /** The roles that users can have. One that is no longer named is deleted, unless a user holds it. Default: none. */
  readonly roles?: readonly (string | ApplicationRole)[];
  /** What the key may do. Default: `access:read`. */
  readonly scopes?: readonly KeyScope[];
  /** How often a new key is issued; the one before stays valid until the next time. Default: 30 days. */
  readonly rotateEvery?: Duration;
  /** The percentage of users who may enter unless they are blocked. Default: as it is, and 100 for a new application. */
  readonly rolloutPercent?: number;
  /** Whose changes require a reason: `operators` or `all`. Default: as it is. */
  readonly requireReason?: 'operators' | 'all';
  /** Days after which each access should be reviewed. Default: as it is. */
  readonly reviewEveryDays?: number;
  /** Requests per second that the service accepts from the application. Default: as it is. */
  readonly requestsPerSecond?: number;
  /**
   * The addresses to which a login may return; with any, people log in to the application by the login of the service. Default: no
   * login.
   */
  readonly redirectUris?: readonly string[];
  /**
   * `confidential` for a backend: the secret has `issuer`, `clientId` and `clientSecret` too, and they are rotated together. It cannot be
   * changed while there is a login. Default: `public`, a client with PKCE alone.
   */
  readonly clientType?: 'public' | 'confidential';
  /** The addresses to which a logout may return. Default: none. */
  readonly logoutUris?: readonly string[];
  /**
   * `RETAIN` keeps the application, its roles and its keys when they leave the stack. Default: `DESTROY`, which is refused while
   * users hold roles or have an access of their own. The id of a deleted application is never used again.
   */
  readonly removalPolicy?: RemovalPolicy;
  /** Whether to delete the application and its roles even while users hold them. Default: false. */
  readonly deleteInUse?: boolean;
  /** The name of the role of the function that registers, as allowed by the service. Default: `<appId>-registration`. */
  readonly roleName?: string;
}

/**
 * Registers the stack as an application of the service: with its roles, and with an API key in Secrets Manager, as JSON with
 * `keyId`, `secret` and `url`. The secrets of the key and of a confidential client go from the answers of the Management API into Secrets
 * Manager and nowhere else.
 */
export class AccessApplication extends Construct {
  readonly appId: string;
  /** The secret with the API key: JSON with `keyId`, `secret` and `url`. */
  readonly secret: ISecret;
  /** The role of the function that registers the application, which `allowRegistration` names. */
  readonly role: IRole;
  /** The issuer and the client id of the login; undefined without `redirectUris`. */
  readonly login: ApplicationLogin | undefined;
  readonly #function: LambdaFunction;

  constructor(scope: Construct, id: string, props: AccessApplicationProps) {
    super(scope, id);
    const { appId, service, roles = [], removalPolicy = RemovalPolicy.DESTROY } = props;
    requireNames(props);
    this.appId = appId;
    const role = new Role(this, 'Role', {
      roleName: props.roleName ?? registrationRoleName(appId),
      description: `Registers the application ${appId} of auth-service`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: [service.manageCallersPolicy],
    });
    // Under exactOptionalPropertyTypes the CDK's classes are not assignable to their own interfaces.
    this.role = role as IRole;
    const secret = new Secret(this, 'Key', {
      description: `API key of ${appId} for auth-service`,
      generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'pending' },
    });
    secret.applyRemovalPolicy(removalPolicy);
    this.secret = secret as ISecret;
    this.#function = this.#createFunction(role);
    secret.grantRead(role);
    secret.grantWrite(role);
    role.addToPolicy(new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [Aws.STACK_ID] }));
    const common = { ManageUrl: service.manageUrl, AppId: appId, Force: String(props.deleteInUse ?? false) };
    const application = this.#register('Application', resourceTypes.application, removalPolicy, {
      ...common,
      Settings: JSON.stringify(settingsOf(props)),
    });
    // The secret stays if the deletion of the application is refused.
    application.node.addDependency(secret);
    for (const each of roles) {
      const { name, description } = typeof each === 'string' ? { name: each, description: undefined } : each;
      const properties = { ...common, Role: name, ...(description !== undefined && { Description: description }) };
      this.#register(`Role-${name}`, resourceTypes.role, removalPolicy, properties).node.addDependency(application);
    }
    const clientType = props.clientType === 'confidential' ? { ClientType: props.clientType } : {};
    const login = this.#addLogin(props, application, { ...common, ...clientType });
    this.login = login && { issuer: login.getAttString('Issuer'), clientId: login.getAttString('ClientId') };
    const properties = {
      ...common,
      ...clientType,
      Url: service.url,
      // A stack of this name in another Region has other keys.
      Label: `${Names.uniqueResourceName(this, { maxLength: 40 })}-${Aws.REGION}`,
      Scopes: (props.scopes ?? ['access:read']).join(),
      SecretId: secret.secretArn,
    };
    const key = this.#register('ApplicationKey', resourceTypes.key, removalPolicy, properties);
    key.node.addDependency(login ?? application);
    this.#function.addEnvironment('KEY_PROPERTIES', Stack.of(this).toJsonString(properties));
    const rotation = new RotationSchedule(this, 'Rotation', {
      secret: this.secret,
      rotationLambda: this.#function as IFunction,
      automaticallyAfter: props.rotateEvery ?? Duration.days(30),
      rotateImmediatelyOnUpdate: false,
    });
    rotation.node.addDependency(key);
  }

  #addLogin(
    { redirectUris, logoutUris = [], removalPolicy = RemovalPolicy.DESTROY }: AccessApplicationProps,
    application: CustomResource,
    common: RegistrationProperties,
  ): CustomResource | undefined {
    if (redirectUris === undefined) return undefined;
    const properties = {
      ...common,
      RedirectUris: Stack.of(this).toJsonString(redirectUris),
      LogoutUris: Stack.of(this).toJsonString(logoutUris),
    };
    const login = this.#register('Login', resourceTypes.login, removalPolicy, properties);
    login.node.addDependency(application);
    return login;
  }

  /** Lets an identity read the secret with the API key. */
  grantRead(grantee: IGrantable): Grant {
    return this.secret.grantRead(grantee);
  }

  #createFunction(role: Role): LambdaFunction {
    const logGroup = new LogGroup(this, 'Log', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(role);
    return new LambdaFunction(this, 'Register', {
      description: `Registers the application ${this.appId} of auth-service, and rotates its key`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: this.#bundle(),
      memorySize: 256,
      // The Management API deletes an application in steps of up to 29 s.
      timeout: Duration.minutes(5),
      role,
      logGroup,
    });
  }

  /** A command that only lists stacks, such as `cdk ls`, needs no code. */
  #bundle(): Code {
    if (!Stack.of(this).bundlingRequired) return Code.fromInline('-');
    const folder = join(Stage.of(this)?.outdir ?? 'cdk.out', 'bundles');
    return Code.fromAsset(bundleFunction('register-application', folder).directory);
  }

  #register(
    id: string,
    resourceType: string,
    removalPolicy: RemovalPolicy,
    properties: RegistrationProperties,
  ): CustomResource {
    const resource = new CustomResource(this, id, {
      serviceToken: this.#function.functionArn,
      resourceType,
      removalPolicy,
      serviceTimeout: Duration.minutes(6),
      properties: { ...properties },
    });
    // The policies of the role: without them the first request is refused.
    resource.node.addDependency(this.role);
    return resource;
  }
}

/** The Management API would refuse them only in the middle of a deployment. */
function requireNames({ appId, roles = [], scopes: named = [], ...props }: AccessApplicationProps): void {
  if (props.clientType === 'confidential' && props.redirectUris === undefined) {
    throw new Error('clientType confidential needs redirectUris: it is the client of a login');
  }
  if (!v.is(appIdSchema, appId))
    throw new Error(`appId ${v.safeParse(appIdSchema, appId).issues?.[0].message}, not ${appId}`);
  for (const role of roles) {
    const { issues } = v.safeParse(roleNameSchema, typeof role === 'string' ? role : role.name);
    if (issues !== undefined) throw new Error(`The name of a role ${issues[0].message}, not ${issues[0].input}`);
  }
  const unknown = named.find((scope) => !scopes.some((known) => known === scope));
  if (unknown !== undefined) throw new Error(`scopes may be ${scopes.join(', ')}, not ${unknown}`);
}

function settingsOf({ appId, name = appId, ...props }: AccessApplicationProps): Record<string, unknown> {
  const { rolloutPercent, requireReason, reviewEveryDays, requestsPerSecond } = props;
  return Object.fromEntries(
    Object.entries({ name, rolloutPercent, requireReason, reviewEveryDays, requestsPerSecond }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
