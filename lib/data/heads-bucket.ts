import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectLockRetention, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface HeadsBucketProps {
  /** The account of the service, whose function adds objects. */
  readonly sourceAccount: string;
  /** Days for which no version of an object can be deleted. */
  readonly minRetentionDays: number;
  /** `governance`: whoever may bypass the retention can delete. `compliance`: nobody can, not even AWS. */
  readonly lock: 'governance' | 'compliance';
}

/** The roles of the functions that sign heads, of any stage: CloudFormation names them after the stack and the construct. */
export const signingRoles = 'AuthService-*-HeadSigningSignRole*';

/** Changes are kept for a year by default; heads that are older than every change prove nothing. */
const keptDays = 400;

/**
 * A bucket for signed heads, in another account than the service's. The service can only add objects, and none is deleted
 * before the end of its retention.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
export class HeadsBucket extends Construct {
  constructor(scope: Construct, id: string, { sourceAccount, minRetentionDays, lock }: HeadsBucketProps) {
    super(scope, id);
    const retention = Duration.days(minRetentionDays);
    const bucket = new Bucket(this, 'Bucket', {
      versioned: true,
      objectLockEnabled: true,
      objectLockDefaultRetention:
        lock === 'compliance' ? ObjectLockRetention.compliance(retention) : ObjectLockRetention.governance(retention),
      lifecycleRules: [
        {
          expiration: Duration.days(Math.max(keptDays, minRetentionDays)),
          noncurrentVersionExpiration: Duration.days(1),
        },
        { expiredObjectDeleteMarker: true },
      ],
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    bucket.addToResourcePolicy(this.#allowAdding(bucket, sourceAccount));
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'One function adds a few objects a day; CloudTrail shows who else uses the bucket.',
    });
    new CfnOutput(Stack.of(this), 'HeadsBucket', {
      value: bucket.bucketName,
      description: "Value of the setting headsBucket in the service's account",
    });
  }

  /**
   * Only with `If-None-Match`, which S3 accepts with the value `*` alone: it refuses an object whose name is taken. There are no
   * uploads in parts, because those begin without that header.
   * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
   */
  #allowAdding(bucket: Bucket, account: string): PolicyStatement {
    const role = Stack.of(this).formatArn({
      service: 'iam',
      region: '',
      account,
      resource: 'role',
      resourceName: signingRoles,
    });
    return new PolicyStatement({
      sid: 'AddHeads',
      principals: [new AccountPrincipal(account)],
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects('*')],
      conditions: { ArnLike: { 'aws:PrincipalArn': role }, Null: { 's3:if-none-match': 'false' } },
    });
  }
}
