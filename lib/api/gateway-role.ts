import {
  HttpIntegrationType,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { EndpointFunction } from '../functions/endpoint-function.ts';

/**
 * The role with which API Gateway invokes the functions of the Service API, instead of a permission for each route, which would
 * be a resource each. It may invoke what its integrations name, and nothing else.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export class GatewayRole extends Construct {
  readonly #role: Role;
  readonly #invoked: PolicyDocument;
  readonly #integrations = new Map<EndpointFunction, HttpRouteIntegration>();

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#invoked = new PolicyDocument();
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { Invoke: this.#invoked },
    });
  }

  /** Returns the integration of a function, which all its routes share. */
  integrationOf(fn: EndpointFunction): HttpRouteIntegration {
    const existing = this.#integrations.get(fn);
    if (existing !== undefined) return existing;
    // Not the reference to the alias: the role's policy is then older than the release that moves the alias, after which the
    // integration follows, so that IAM knows the policy by the time of the first request.
    this.#invoked.addStatements(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [fn.invokedArn] }),
    );
    const integration = new RoleIntegration(fn, this.#role);
    this.#integrations.set(fn, integration);
    return integration;
  }
}

/** Invokes a function, or its alias, with a role. */
class RoleIntegration extends HttpRouteIntegration {
  readonly #config: HttpRouteIntegrationConfig;

  constructor({ invoked }: EndpointFunction, role: IRole) {
    super('Integration');
    this.#config = {
      type: HttpIntegrationType.AWS_PROXY,
      uri: invoked.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(role),
    };
  }

  override bind(): HttpRouteIntegrationConfig {
    return this.#config;
  }
}
