import { type CfnElement, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, type BucketDeploymentProps, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { cacheControl, type DashboardLogin } from './dashboard-delivery.ts';
import type { Stage } from './stages.ts';

export interface SiteDeploymentProps {
  readonly stage: Stage;
  readonly bucket: Bucket;
  /** The built dashboard. */
  readonly folder: string;
  /** What stands below `/docs`. */
  readonly docs: string;
  /** What `/config.json` says. */
  readonly login: DashboardLogin;
}

/**
 * Puts the built dashboard and its `config.json` into the bucket, by the CDK's own function. Hashed files go first and the
 * page that names them follows; those of earlier deployments stay, for the pages that are still open.
 */
export class SiteDeployment extends Construct {
  constructor(scope: Construct, id: string, { stage, bucket, folder, docs, login }: SiteDeploymentProps) {
    super(scope, id);
    // The class declares an optional property less strictly than its own interface.
    const by = { destinationBucket: bucket as IBucket, prune: false, ...this.#createRole(bucket, stage) };
    const assets = new BucketDeployment(this, 'Assets', {
      ...by,
      sources: [Source.asset(folder)],
      exclude: ['*'],
      include: ['assets/*'],
      cacheControl: [CacheControl.fromString(cacheControl.assets)],
    });
    const others = new BucketDeployment(this, 'Others', {
      ...by,
      sources: [Source.asset(folder), Source.asset(docs), Source.jsonData('config.json', { ...login })],
      exclude: ['assets/*'],
      cacheControl: [CacheControl.fromString(cacheControl.others)],
    });
    others.node.addDependency(assets);
    this.#acknowledgeRuntime();
  }

  /** Instead of the managed AWSLambdaBasicExecutionRole, which may write to every log group of the account. */
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

  /** The function is one for the whole stack, at its top. */
  #acknowledgeRuntime(): void {
    const [fn] = Stack.of(this).node.children.filter(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'));
    if (fn === undefined) throw new Error("The CDK's function for deploying files has another name now");
    Validations.of(fn).acknowledge({
      id: 'AwsSolutions-L1',
      reason: "The function and its runtime are the CDK's; newer ones come with its releases.",
    });
  }
}

/** As the CDK's function asks for them: it reads from the bucket of the deployment's assets and writes to ours. */
function acknowledgeWildcards(role: Role, bucket: Bucket): void {
  const { partition, region } = Stack.of(role);
  const files = Stack.of(role).getLogicalId(bucket.node.defaultChild as CfnElement);
  const reason = 'What the files are called is only known when they are built; no other bucket is open to it.';
  const actions = ['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'].map((name) => `Action::s3:${name}`);
  const resources = [
    `Resource::arn:${inFindings(partition, 'Partition')}:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-${inFindings(region, 'Region')}/*`,
    `Resource::<${files}.Arn>/*`,
  ];
  for (const finding of [...actions, ...resources]) {
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason });
  }
}

/** As cdk-nag writes it: what only the deployment knows stands in brackets. */
function inFindings(value: string, name: string): string {
  return Token.isUnresolved(value) ? `<AWS::${name}>` : value;
}
