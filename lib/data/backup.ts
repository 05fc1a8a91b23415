import { ArnFormat, CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault, type IBackupVault } from 'aws-cdk-lib/aws-backup';
import { EventField, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import {
  AccountPrincipal,
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { stackSuffix } from '../settings/stack-suffix.ts';
import { removalPolicyOf, type Stage } from '../settings/stages.ts';
import type { BackupSettings } from '../settings/storage-settings.ts';
import type { Table } from './table.ts';

export interface BackupProps extends BackupSettings {
  readonly stage: Stage;
  readonly table: Table;
  /** Notified when a backup or a copy fails. */
  readonly topic: Topic;
}

/** Days that a backup is kept in the stack's own account; the copy in the other account is the one that counts. */
const localDays = 7;

/**
 * A nightly backup of the table, copied to another account, where nobody from this account can delete it. AWS Backup copies
 * DynamoDB backups only between accounts of one organization and with its advanced features, and encrypts the copy with the
 * other vault's key.
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/advanced-ddb-backup.html
 */
export class Backup extends Construct {
  constructor(scope: Construct, id: string, props: BackupProps) {
    super(scope, id);
    const vault = this.#createVault(props);
    const role = this.#createRole();
    const plan = new BackupPlan(this, 'Plan', { backupPlanName: `${props.stage.serviceName}-nightly` });
    const copies = BackupVault.fromBackupVaultArn(this, 'Copies', props.vaultArn);
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'nightly',
        // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
        backupVault: vault as IBackupVault,
        scheduleExpression: Schedule.cron({ hour: '1', minute: '0' }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(12),
        deleteAfter: Duration.days(localDays),
        copyActions: [{ destinationBackupVault: copies, deleteAfter: Duration.days(props.retentionDays) }],
      }),
    );
    plan.addSelection('Table', { role, resources: [BackupResource.fromArn(props.table.resource.tableArn)] });
    this.#reportFailures(props);
    this.#addOutputs(vault, role);
  }

  /**
   * Has its own key, because a vault with the AWS managed key cannot take part in copies between accounts. The other account
   * may read with this key, and may copy a backup back.
   */
  #createVault({ stage, vaultArn }: BackupProps): BackupVault {
    const others = new AccountPrincipal(Stack.of(this).splitArn(vaultArn, ArnFormat.COLON_RESOURCE_NAME).account ?? '');
    const removalPolicy = removalPolicyOf(stage);
    const encryptionKey = new Key(this, 'Key', {
      description: `Backups of ${stage.serviceName}`,
      enableKeyRotation: true,
      removalPolicy,
    });
    encryptionKey.grantEncryptDecrypt(others);
    encryptionKey.grant(others, 'kms:DescribeKey');
    return new BackupVault(this, 'Vault', {
      // The CDK's own name would be that of every stage, and of the vault that a deleted stack left.
      backupVaultName: `${stage.serviceName}-${stackSuffix()}`,
      encryptionKey,
      removalPolicy,
      accessPolicy: new PolicyDocument({
        statements: [
          new PolicyStatement({ principals: [others], actions: ['backup:CopyIntoBackupVault'], resources: ['*'] }),
        ],
      }),
    });
  }

  /** Has AWS Backup's managed policy, which AWS extends when its jobs need more. */
  #createRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason: 'A backup that lacks a permission would be noticed too late; AWS keeps this policy complete.',
    });
    return role;
  }

  #reportFailures({ table, topic }: BackupProps): void {
    new Rule(this, 'Failures', {
      description: 'Failed backups and copies of backups',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change', 'Copy Job State Change'],
        detail: { state: ['FAILED', 'ABORTED', 'EXPIRED'], resourceArn: [table.resource.tableArn] },
      },
      targets: [
        new SnsTopic(topic, {
          message: RuleTargetInput.fromText(
            `A backup failed: ${EventField.detailType}, ${EventField.fromPath('$.detail.state')}, at ${EventField.time}: ${EventField.fromPath('$.detail.statusMessage')}. What to do: docs/operate/runbook.md#backups`,
          ),
        }),
      ],
    });
  }

  #addOutputs(vault: BackupVault, role: Role): void {
    const stack = Stack.of(this);
    new CfnOutput(stack, 'BackupVaultArn', {
      value: vault.backupVaultArn,
      description: 'Vault in this account into which a backup is copied back before a restore',
    });
    new CfnOutput(stack, 'BackupRoleArn', { value: role.roleArn, description: 'Role of the backup jobs' });
  }
}
