import { Stack } from 'aws-cdk-lib';
import {
  type HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  type IHttpRouteAuthorizer,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type FunctionUrl, FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import * as v from 'valibot';
import type { ReasonDemand } from '#shared/contract/change-reason.ts';
import { appIdSchema } from '#shared/contract/fields.ts';
import { manageScope } from '#shared/contract/operation.ts';
import { type OperatorRole, parseHeldRole } from '#shared/contract/operator-role.ts';
import type { TableUse } from '#shared/contract/table-use.ts';
import type { OperatorRoleSettings } from '#shared/core/operator-roles.ts';
import type { RootKey } from '../data/root-key.ts';
import type { Table } from '../data/table.ts';
import { EndpointFunction } from '../functions/endpoint-function.ts';
import { kindsManagedBy, optionLists } from '../options/option-items.ts';
import { rootPurposes } from '../options/option-roots.ts';
import type { OperatorTokens } from '../settings/login-settings.ts';
import type { Stage } from '../settings/stages.ts';

export interface ManageApiProps {
  readonly stage: Stage;
  readonly table: Table;
  readonly rootKey: RootKey;
  /** The HTTP API to which the route for bearer tokens is added. */
  readonly httpApi: HttpApi;
  readonly tokens: OperatorTokens;
  readonly operatorRoles: OperatorRoleSettings;
  /** Days that a Change is kept in the table. */
  readonly changeRetentionDays: number;
  /** Whose changes require a reason, as in `Settings`. */
  readonly requireReason: ReasonDemand | undefined;
  /** The formats in which webhooks are delivered. */
  readonly webhooks: readonly string[];
  /** Provisioned concurrency, as in `EndpointFunctionProps`. */
  readonly provisionedConcurrency: number | undefined;
  /** Default: 29, enough to delete several pages and below API Gateway's limit of 30 s. */
  readonly timeoutSeconds?: number;
}

/** Beside the settings, these fit into the 4 KB of the environment of a function. */
const maxLimitedOperators = 15;

/** The Management API: one function behind the function URL (IAM) and the HTTP API (JWT); AWS authenticates each caller. */
export class ManageApi extends Construct {
  readonly function: EndpointFunction;
  readonly url: FunctionUrl;
  /** The permissions to call the function URL; not attached to any identity. */
  readonly callerPolicy: ManagedPolicy;
  /** The route for bearer tokens. */
  readonly route: HttpRoute;
  #operatorRoles: OperatorRoleSettings;

  constructor(scope: Construct, id: string, props: ManageApiProps) {
    super(scope, id);
    this.#operatorRoles = props.operatorRoles;
    this.function = this.#createFunction(props);
    grantPermissions(this.function, props);
    this.url = this.#addFunctionUrl();
    this.callerPolicy = this.#createCallerPolicy();
    this.route = this.#addRoute(props);
  }

  /** Gives an IAM identity a role; without `iamRoles` it has every role already. */
  addOperator(arn: string, role: OperatorRole): void {
    const { arns } = this.#operatorRoles;
    if (Object.keys(arns).length > 0) this.#setRoles({ arns: { ...arns, [arn]: role } });
  }

  /** Limits an IAM identity to one role, such as `support`, or `support:billing` for one application, also without `iamRoles`. */
  addLimitedOperator(arn: string, role: OperatorRole | `${OperatorRole}:${string}`): void {
    const held = parseHeldRole(role);
    if (held === undefined || (held.appId !== null && !v.is(appIdSchema, held.appId))) {
      throw new Error(`${role} is not a role such as support, or in an application such as support:billing`);
    }
    const { limited = {} } = this.#operatorRoles;
    if (limited[arn] !== undefined && limited[arn] !== role) {
      throw new Error(`An IAM role can be limited to one role only, ${limited[arn]} or ${role}: use two IAM roles`);
    }
    const all = { ...limited, [arn]: role };
    if (Object.keys(all).length > maxLimitedOperators) {
      throw new Error(`At most ${maxLimitedOperators} IAM roles can be given a role in code: use patterns in iamRoles`);
    }
    this.#setRoles({ limited: all });
  }

  #setRoles(added: Partial<OperatorRoleSettings>): void {
    this.#operatorRoles = { ...this.#operatorRoles, ...added };
    const roles = Stack.of(this).toJsonString(this.#operatorRoles);
    this.function.function.addEnvironment('OPERATOR_ROLES', roles);
  }

  #createFunction(props: ManageApiProps): EndpointFunction {
    return new EndpointFunction(this, 'Manage', {
      name: 'manage',
      stage: props.stage,
      timeoutSeconds: props.timeoutSeconds ?? 29,
      provisionedConcurrency: props.provisionedConcurrency,
      environment: {
        TABLE_NAME: props.table.resource.tableName,
        CHANGE_RETENTION_DAYS: String(props.changeRetentionDays),
        ...(props.requireReason !== undefined && { REQUIRE_REASON: props.requireReason }),
        ...(props.webhooks.length > 0 && { WEBHOOK_FORMATS: props.webhooks.join(',') }),
        OPERATOR_ISSUER: props.tokens.issuer,
        OPERATOR_ROLES: JSON.stringify(props.operatorRoles),
      },
    });
  }

  /** For tools that sign with AWS credentials. No CORS: browsers do not have such credentials. */
  #addFunctionUrl(): FunctionUrl {
    return this.function.invoked.addFunctionUrl({
      authType: FunctionUrlAuthType.AWS_IAM,
      invokeMode: InvokeMode.BUFFERED,
    });
  }

  /**
   * Both actions are needed. The second is limited to the URL: a caller who could invoke the function directly would write the
   * event, and could claim any identity in it.
   * https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
   */
  #createCallerPolicy(): ManagedPolicy {
    const { function: fn, invoked } = this.function;
    const resources = [...new Set([fn.functionArn, invoked.functionArn])];
    return new ManagedPolicy(this, 'Callers', {
      description: 'May call the Management API of auth-service by its function URL',
      statements: [
        new PolicyStatement({
          actions: ['lambda:InvokeFunctionUrl'],
          resources,
          conditions: { StringEquals: { 'lambda:FunctionUrlAuthType': 'AWS_IAM' } },
        }),
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources,
          conditions: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
        }),
      ],
    });
  }

  /** For the dashboard, which sends bearer tokens. */
  #addRoute({ httpApi, tokens }: ManageApiProps): HttpRoute {
    return new HttpRoute(this, 'Route', {
      httpApi,
      routeKey: HttpRouteKey.with('/api/manage/{proxy+}', HttpMethod.ANY),
      integration: new HttpLambdaIntegration('Integration', this.function.invoked, {
        payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      }),
      authorizer: authorizerOf(tokens),
      authorizationScopes: [manageScope],
    });
  }
}

/**
 * API Gateway verifies the signature, issuer, audience, validity period and scope of each token before it invokes the
 * function, which checks issuer and scope again.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
function authorizerOf({ issuer, audience }: OperatorTokens): IHttpRouteAuthorizer {
  return new HttpJwtAuthorizer('Operators', issuer, { jwtAudience: [audience] });
}

/** What it reads one by one and writes whole. */
const stored = ['user', 'userList', 'application', 'search', 'idempotency', 'format'] as const;

/**
 * The use of the table: all items except nonces, which only the Service API writes. Nothing may delete them. The outcome of a
 * call is written once, alone or in the transaction of the call's effect, and DynamoDB deletes it when it expires. Feeds are
 * queried for where a webhook begins and by a repair, and only a repair numbers and removes pending changes, begins a log anew,
 * and writes the counters of feeds.
 */
const tableUse: TableUse = {
  reads: [...stored, 'counters', ...kindsManagedBy('BatchGetItem')],
  lists: [
    'applications',
    'applicationUsers',
    'userChanges',
    'applicationChanges',
    'history',
    'blockEnds',
    ...Object.keys(optionLists),
  ],
  queries: ['user', 'userList', 'application', 'search', 'feed', 'counters', ...kindsManagedBy('Query')],
  writes: {
    PutItem: [...stored, 'feed', ...kindsManagedBy('PutItem')],
    DeleteItem: ['user', 'userList', 'application', 'search', 'feed', 'counters', ...kindsManagedBy('DeleteItem')],
    UpdateItem: ['user', 'userList', 'application', 'feed', 'counters', ...kindsManagedBy('UpdateItem')],
    ConditionCheckItem: ['user', 'application', 'feed', ...kindsManagedBy('ConditionCheckItem')],
  },
};

function grantPermissions(fn: EndpointFunction, { table, rootKey }: ManageApiProps): void {
  rootKey.grantUse(fn, ...rootPurposes);
  table.grantUse(fn, tableUse);
}
