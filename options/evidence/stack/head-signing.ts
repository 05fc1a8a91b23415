import { Aws, CfnOutput, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { KeySpec } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { createSigningKey, denyElsewhere, denyUse, exceptRoles } from '#lib/data/key-policy.ts';
import type { Table } from '#lib/data/table.ts';
import { EndpointFunction } from '#lib/functions/endpoint-function.ts';
import type { Stage } from '#lib/settings/stages.ts';
import { headAttributes } from '../head-attributes.ts';

export interface HeadSigningProps {
  readonly stage: Stage;
  readonly table: Table;
  /** The bucket of another account that keeps the heads (`BackupVaultStack`). */
  readonly bucket: string;
}

/**
 * Signs the heads of all chains of changes once a day, and stores them in a bucket of another account, in which the service
 * can only add objects. Whoever has the public key can then tell that changes were removed from the end of a history.
 */
export class HeadSigning extends Construct {
  readonly function: EndpointFunction;
  readonly keyArn: string;

  constructor(scope: Construct, id: string, { stage, table, bucket }: HeadSigningProps) {
    super(scope, id);
    const denial = denyUse('kms:Sign');
    const description = `Signs the heads of the chains of ${stage.serviceName}`;
    const key = createSigningKey(this, { description, keySpec: KeySpec.ECC_NIST_P256, stage, denial });
    this.keyArn = key.keyArn;
    this.function = new EndpointFunction(this, 'Sign', {
      name: 'sign-heads',
      stage,
      isReleased: false,
      environment: { TABLE_NAME: table.resource.tableName, HEADS_BUCKET: bucket, HEADS_KEY_ARN: this.keyArn },
      memorySizeMb: 512,
      // The maximum. A run that takes longer continues in another invocation.
      timeoutSeconds: 900,
    });
    exceptRoles(denial, [this.function.role.roleArn]);
    table.grantScan(this.function, headAttributes);
    this.#allowSigning(bucket, stage);
    new Rule(this, 'Daily', {
      description: `The heads of all chains of ${stage.serviceName}`,
      // After the nightly backup.
      schedule: Schedule.cron({ hour: '2', minute: '0' }),
      targets: [new FunctionTarget(this.function.function, { event: RuleTargetInput.fromObject({}) })],
    });
    this.#addOutputs();
  }

  #addOutputs(): void {
    const { scope = this } = this.node;
    new CfnOutput(scope, 'HeadsFunctionName', { value: this.function.function.functionName });
    new CfnOutput(scope, 'HeadsKeyArn', {
      value: this.keyArn,
      description: 'KMS key that signs the heads: keep its public key where you verify them',
    });
  }

  /** Allows adding objects to the bucket, never replacing one, and handing the rest of a long run to another invocation. */
  #allowSigning(bucket: string, stage: Stage): void {
    const { function: fn, keyArn } = this;
    fn.allowUseOfKey(
      new PolicyStatement({
        actions: ['kms:Sign'],
        resources: [keyArn],
        conditions: { StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256', 'kms:MessageType': 'RAW' } },
      }),
    );
    const objects = `${bucket}/${stage.serviceName}/*`;
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['s3:PutObject'],
        resources: [`arn:${Aws.PARTITION}:s3:::${objects}`],
        conditions: { Null: { 's3:if-none-match': 'false' } },
      }),
    );
    Validations.of(fn.role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${objects}]`,
      reason: 'Each run adds objects under a name of its own, and none can be replaced.',
    });
    denyElsewhere(fn, 'kms:Sign', [keyArn]);
    fn.letInvokeDependent('Continue', fn);
  }
}
