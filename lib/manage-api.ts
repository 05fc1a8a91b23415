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
import { manageScope } from '#shared/contract/manage-routes.ts';
import { EndpointFunction } from './endpoint-function.ts';
import type { RootKey } from './root-key.ts';
import type { Stage } from './stages.ts';
import type { Table } from './table.ts';

/** Whose tokens let an operator in. */
export interface OperatorTokens {
  /** The OpenID provider, as its tokens' `iss` and its discovery document name it. */
  readonly issuer: string;
  /** What a token's `aud` must hold or, if it has none, its `client_id` must be. */
  readonly audience: string;
}

export interface ManageApiProps {
  readonly stage: Stage;
  readonly table: Table;
  readonly rootKey: RootKey;
  /** The HTTP API that gets the second door. */
  readonly httpApi: HttpApi;
  readonly tokens: OperatorTokens;
  /** Days that a Change stays in the table. */
  readonly changeRetentionDays: number;
  /** Default: 29, room for erasing page after page and yet below the 30 s after which API Gateway gives up. */
  readonly timeoutSeconds?: number;
}

/** The Management API: one function behind two doors, each of which lets nobody in whom AWS has not identified. */
export class ManageApi extends Construct {
  readonly function: EndpointFunction;
  readonly url: FunctionUrl;
  /** What an identity of AWS needs to call by that URL; attached to nobody. */
  readonly callerPolicy: ManagedPolicy;

  constructor(scope: Construct, id: string, props: ManageApiProps) {
    super(scope, id);
    this.function = this.#createFunction(props);
    grantWhatItNeeds(this.function, props);
    this.url = this.#addFunctionUrl();
    this.callerPolicy = this.#createCallerPolicy();
    this.#addRoute(props);
  }

  #createFunction(props: ManageApiProps): EndpointFunction {
    return new EndpointFunction(this, 'Manage', {
      name: 'manage',
      stage: props.stage,
      timeoutSeconds: props.timeoutSeconds ?? 29,
      environment: {
        TABLE_NAME: props.table.resource.tableName,
        ROOT_KEYS: props.rootKey.rootKeys,
        CHANGE_RETENTION_DAYS: String(props.changeRetentionDays),
      },
    });
  }

  /**
   * For tools that sign with AWS credentials. No browser has any, so no page of another origin is let in (no CORS).
   */
  #addFunctionUrl(): FunctionUrl {
    return this.function.invoked.addFunctionUrl({
      authType: FunctionUrlAuthType.AWS_IAM,
      invokeMode: InvokeMode.BUFFERED,
    });
  }

  /**
   * Both actions are needed, the second one only by way of the URL: who may invoke the function itself writes its event,
   * and with it in whose name the request is.
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

  /** For the dashboard, whose requests bear a token. */
  #addRoute({ httpApi, tokens }: ManageApiProps): void {
    new HttpRoute(this, 'Route', {
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
 * API Gateway verifies signature, issuer, audience, times and scope of each token, before the function runs.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
function authorizerOf({ issuer, audience }: OperatorTokens): IHttpRouteAuthorizer {
  return new HttpJwtAuthorizer('Operators', issuer, { jwtAudience: [audience] });
}

/** Everything but nonces, which only the Service API's functions spend and which nobody may take back. */
function grantWhatItNeeds(fn: EndpointFunction, { table, rootKey }: ManageApiProps): void {
  rootKey.grantGenerateMac(fn);
  table.grantBatchRead(fn);
  table.grantQuery(fn);
  for (const action of ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] as const) {
    table.grantWrite(fn, action, ['user', 'application']);
  }
}
