import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { BackupVault } from 'aws-cdk-lib/aws-backup';
import { AccountPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import * as options from '#options/vault-stack.ts';
import type { AddToVaultStack, VaultSettings } from './vault-settings.ts';

export interface BackupVaultStackProps extends StackProps, VaultSettings {}

/** AWS's minimum: a compliance lock can still be removed within these days. */
const graceDays = 3;

/**
 * The locked vault in another account for copies of the table's backups, and what options keep there. That account's
 * administrators, who should not be the service's, deploy it there.
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html
 */
export class BackupVaultStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { sourceAccount, minRetentionDays, lock, ...props }: BackupVaultStackProps,
  ) {
    super(scope, id, { ...props, stackName: 'AuthService-BackupVault', terminationProtection: true });
    const source = new AccountPrincipal(sourceAccount);
    const encryptionKey = new Key(this, 'Key', {
      description: 'Copies of the backups of auth-service',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    encryptionKey.grantEncryptDecrypt(source);
    encryptionKey.grant(source, 'kms:DescribeKey');
    const vault = new BackupVault(this, 'Vault', {
      encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN,
      lockConfiguration: {
        minRetention: Duration.days(minRetentionDays),
        ...(lock === 'compliance' && { changeableFor: Duration.days(graceDays) }),
      },
      accessPolicy: new PolicyDocument({
        statements: [
          new PolicyStatement({ principals: [source], actions: ['backup:CopyIntoBackupVault'], resources: ['*'] }),
        ],
      }),
    });
    for (const add of Object.values<AddToVaultStack>(options)) add(this, { sourceAccount, minRetentionDays, lock });
    const { backupVaultName: name } = vault;
    new CfnOutput(this, 'VaultArn', {
      value: this.formatArn({
        service: 'backup',
        resource: 'backup-vault',
        resourceName: name,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      description: "Value of the setting backupVaultArn in the service's account",
    });
  }
}
