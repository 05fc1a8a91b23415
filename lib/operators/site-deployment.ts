import { join } from 'node:path';
import { type CfnElement, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, type BucketDeploymentProps, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { Stage } from '../settings/stages.ts';
import { cacheControl, type DashboardLogin, packedFolder } from './dashboard-delivery.ts';

export interface SiteDeploymentProps {
  readonly stage: Stage;
  readonly bucket: Bucket;
  /** The folder of the built dashboard. */
  readonly folder: string;
  /** The folder of the documentation site. */
  readonly docs: string;
  /** The content of `/config.json`. */
  readonly login: DashboardLogin;
}

/**
 * Copies the built dashboard, the documentation and `config.json` into the bucket, with the CDK's own function. Hashed files
 * come before the page that refers to them; those of earlier deployments stay, for pages that are still open. Scripts and styles
 * are stored in Brotli, which every browser that can run them accepts.
 */
export class SiteDeployment extends Construct {
  constructor(scope: Construct, id: string, { stage, bucket, folder, docs, login }: SiteDeploymentProps) {
    super(scope, id);
    // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
    const common = { destinationBucket: bucket as IBucket, prune: false, ...this.#createRole(bucket, stage) };
    const immutable = { ...common, cacheControl: [CacheControl.fromString(cacheControl.assets)] };
    const unpacked = Source.asset(folder, { exclude: [packedFolder, 'assets/*.js', 'assets/*.css'] });
    const packed = new BucketDeployment(this, 'Packed', {
      ...immutable,
      sources: [Source.asset(join(folder, packedFolder))],
      contentEncoding: 'br',
    });
    const assets = new BucketDeployment(this, 'Assets', {
      ...immutable,
      sources: [unpacked],
      exclude: ['*'],
      include: ['assets/*'],
    });
    const others = new BucketDeployment(this, 'Others', {
      ...common,
      sources: [unpacked, Source.asset(docs), Source.jsonData('config.json', { ...login })],
      exclude: ['assets/*'],
      cacheControl: [CacheControl.fromString(cacheControl.others)],
    });
    others.node.addDependency(packed, assets);
    this.#acknowledgeRuntime();
  }

  /** Narrower than the managed AWSLambdaBasicExecutionRole, which allows writing to every log group of the account. */
  #createRole(bucket: Bucket, { logRetention }: Stage): Pick<BucketDeploymentProps, 'role' | 'logGroup'> {
    const logGroup = new LogGroup(this, 'Log', {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    acknowledgeWildcards(role, bucket);
    return { role, logGroup };
  }

  /** The CDK creates one function for the whole stack, as a child of the stack. */
  #acknowledgeRuntime(): void {
    const [fn] = Stack.of(this).node.children.filter(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'));
    if (fn === undefined) throw new Error("The CDK's function for deploying files has been renamed");
    Validations.of(fn).acknowledge({
      id: 'AwsSolutions-L1',
      reason: 'The function and its runtime belong to the CDK; its releases update them.',
    });
  }
}

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

/** The wildcards of the CDK's function, which reads the bucket of the CDK's assets and writes to the site's bucket. */
function acknowledgeWildcards(role: Role, bucket: Bucket): void {
  const { account, partition, region, synthesizer } = Stack.of(role);
  const assets = `cdk-${synthesizer.bootstrapQualifier}-assets-${inFindings(account, 'AccountId')}-${inFindings(region, 'Region')}`;
  const files = Stack.of(role).getLogicalId(bucket.node.defaultChild as CfnElement);
  const reason = 'The names of the files are known only after the build; the role has no access to other buckets.';
  const actions = ['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'].map((name) => `Action::s3:${name}`);
  const resources = [
    `Resource::arn:${inFindings(partition, 'Partition')}:s3:::${assets}/*`,
    `Resource::<${files}.Arn>/*`,
  ];
  for (const finding of [...actions, ...resources]) {
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason });
  }
}

/** A value as cdk-nag writes it in findings: one that is known only at deployment is in angle brackets. */
function inFindings(value: string, name: string): string {
  return Token.isUnresolved(value) ? `<AWS::${name}>` : value;
}
