import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectLockRetention, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { AddToVaultStack, VaultSettings } from '#lib/data/vault-settings.ts';

/** Adds the bucket for signed heads, which costs nothing until it is used. */
export const addHeadsBucket: AddToVaultStack = (stack, settings) => void new HeadsBucket(stack, 'Heads', settings);

/** The roles of the functions that sign heads, of any stage: CloudFormation names them after the stack and the construct. */
const signingRoles = 'AuthService-*-HeadSigningSignRole*';

/** Changes are kept for a year by default; heads that are older than every change prove nothing. */
const keptDays = 400;

/**
 * A bucket for signed heads, in another account than the service's. The service can only add objects, and none is deleted
 * before the end of its retention.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
class HeadsBucket extends Construct {
  constructor(scope: Construct, id: string, { sourceAccount, minRetentionDays, lock }: VaultSettings) {
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
