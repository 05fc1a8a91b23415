import { Validations } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';

export interface DocsRouteProps {
  readonly httpApi: HttpApi;
  /** The URL of the site, with a slash at the end. */
  readonly siteUrl: string;
}

/**
 * Serves the site's `/docs/` at the API's own address too: the `type` of a problem, such as `/docs/errors#clock_skew`, is
 * relative to the URL of the request (RFC 9457 section 3.1.1).
 */
export class DocsRoute extends Construct {
  readonly route: HttpRoute;

  constructor(scope: Construct, id: string, { httpApi, siteUrl }: DocsRouteProps) {
    super(scope, id);
    this.route = new HttpRoute(this, 'Route', {
      httpApi,
      routeKey: HttpRouteKey.with('/docs/{proxy+}', HttpMethod.GET),
      integration: new HttpUrlIntegration('Integration', `${siteUrl}docs/{proxy}`, { method: HttpMethod.GET }),
    });
    Validations.of(this.route).acknowledge({ id: 'AwsSolutions-APIG4', reason: 'The documents are public files.' });
  }
}
