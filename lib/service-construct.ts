import { Aws, Stack } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { type IManagedPolicy, type IRole, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct, type IConstruct } from 'constructs';
import { tagForCosts } from './monitoring/cost-control.ts';
import { functionsOf } from './monitoring/monitored-metrics.ts';
import { ServiceParts } from './service-parts.ts';
import type { AuthServiceProps } from './settings/auth-service-props.ts';
import { settingsOf } from './settings/settings-of-props.ts';

/** A service of this stack, of another one, or of another CDK app (`AuthService.fromAttributes`). */
export interface IAuthService extends IConstruct {
  /** The base URL of the Service API, with a slash at the end. */
  readonly url: string;
  /** The function URL of the Management API, for requests signed with SigV4. */
  readonly manageUrl: string;
  /** The permissions to call the function URL, for an identity of the same account. */
  readonly manageCallersPolicy: IManagedPolicy;
}

/** What identifies a deployed service: the outputs of its stack. */
export interface AuthServiceAttributes {
  /** The output `ApiUrl`. */
  readonly url: string;
  /** The output `ManageUrl`. */
  readonly manageUrl: string;
  /** The output `ManageCallersPolicyArn`. */
  readonly manageCallersPolicyArn: string;
}

/**
 * The central login and access service: Service API, Management API, dashboard, table, events and alarms. It takes the name, the
 * account, the Region and the termination protection of the stack that contains it.
 */
export class AuthService extends Construct implements IAuthService {
  /** A service that another CDK app has deployed to the same account. */
  static fromAttributes(scope: Construct, id: string, attributes: AuthServiceAttributes): IAuthService {
    return new ImportedService(scope, id, attributes);
  }

  readonly url: string;
  readonly manageUrl: string;
  readonly manageCallersPolicy: IManagedPolicy;
  /** The URL of the dashboard; absent with `dashboard: 'none'`. */
  readonly dashboardUrl: string | undefined;
  readonly httpApi: IHttpApi;
  readonly table: ITableV2;
  /** Has an event for each change. */
  readonly eventBus: IEventBus;
  /** Notified of the alarms. */
  readonly alarmTopic: ITopic;
  /** The functions by the names of their files, such as `get-access`. */
  readonly functions: Readonly<Record<string, IFunction>>;
  readonly #parts: ServiceParts;

  /** Throws if a property has an invalid value, and names it. */
  constructor(scope: Construct, id: string, props: AuthServiceProps = {}) {
    super(scope, id);
    const settings = settingsOf(this, props);
    this.#parts = new ServiceParts(this, 'Default', settings);
    const { serviceApi, manageApi, table, changeEvents, monitoring, dashboardSite } = this.#parts;
    this.url = serviceApi.url;
    this.manageUrl = manageApi.url.url;
    // Under exactOptionalPropertyTypes the CDK's classes are not assignable to their own interfaces.
    this.manageCallersPolicy = manageApi.callerPolicy as IManagedPolicy;
    this.dashboardUrl = dashboardSite?.urls[0];
    this.httpApi = serviceApi.httpApi as IHttpApi;
    this.table = table.resource;
    this.eventBus = changeEvents.bus as IEventBus;
    this.alarmTopic = monitoring.topic as ITopic;
    this.functions = Object.fromEntries(functionsOf(this.#parts).map((fn) => [fn.name, fn.invoked]));
    tagForCosts(this, settings.stage);
    this.node.addValidation({ validate: () => this.#sameName(settings.stage.serviceName) });
  }

  /** Lets an IAM role call the Management API, as an operator for all applications and with this role alone. Default: `admin`. */
  grantManage(role: IRole, operatorRole: OperatorRole = 'admin'): void {
    this.#parts.manageApi.callerPolicy.attachToRole(role);
    this.#parts.manageApi.addLimitedOperator(sessionsOf(role.roleName), operatorRole);
  }

  /**
   * Lets an IAM role call the Management API, as an operator of one application and nothing else, even where `iamRoles` names
   * nobody and every other identity is an `admin`. Default: `support`, which may block users and assign roles.
   */
  addApplicationRole(appId: string, role: IRole, operatorRole: OperatorRole = 'support'): void {
    this.#parts.manageApi.callerPolicy.attachToRole(role);
    this.#parts.manageApi.addLimitedOperator(sessionsOf(role.roleName), `${operatorRole}:${appId}`);
  }

  /**
   * Lets the `AccessApplication` of another stack of this account register this application, and no other: create it, define its
   * roles, issue its keys and delete it. `roleName` is that of its role, by default `<appId>-registration`.
   */
  allowRegistration(appId: string, roleName: string = registrationRoleName(appId)): void {
    this.#parts.manageApi.addLimitedOperator(sessionsOf(roleName), `admin:${appId}`);
  }

  /** Two services of one name would take each other's event bus, alarms and metrics. */
  #sameName(serviceName: string): string[] {
    const { account, region } = Stack.of(this);
    const others = this.node.root.node
      .findAll()
      .filter((node): node is AuthService => node instanceof AuthService && node !== this)
      .filter((other) => Stack.of(other).account === account && Stack.of(other).region === region)
      .filter((other) => other.#parts.settings.stage.serviceName === serviceName);
    return others.map(
      ({ node: { path } }) =>
        `${this.node.path} and ${path} would both be ${serviceName} in the same account and Region: give one of them another serviceName`,
    );
  }
}

class ImportedService extends Construct implements IAuthService {
  readonly url: string;
  readonly manageUrl: string;
  readonly manageCallersPolicy: IManagedPolicy;

  constructor(scope: Construct, id: string, attributes: AuthServiceAttributes) {
    super(scope, id);
    this.url = attributes.url;
    this.manageUrl = attributes.manageUrl;
    this.manageCallersPolicy = ManagedPolicy.fromManagedPolicyArn(this, 'Callers', attributes.manageCallersPolicyArn);
  }
}

/** What an operator may do, the least first; each includes those before it. */
export type OperatorRole = 'viewer' | 'support' | 'admin';

/** The role of an `AccessApplication`, unless it is given another. */
export function registrationRoleName(appId: string): string {
  return `${appId}-registration`;
}

/** What the Management API learns of a caller with this role: the name of a session is chosen by the caller. */
function sessionsOf(roleName: string): string {
  return `arn:${Aws.PARTITION}:sts::${Aws.ACCOUNT_ID}:assumed-role/${roleName}/*`;
}
