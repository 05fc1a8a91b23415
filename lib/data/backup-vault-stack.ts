import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { BackupVault } from 'aws-cdk-lib/aws-backup';
import { AccountPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

export interface BackupVaultStackProps extends StackProps {
  /** The account whose backups are kept, twelve digits. */
  readonly sourceAccount: string;
  /** Days before which nobody deletes a backup. */
  readonly minRetentionDays: number;
  /**
   * `governance`: who may delete the lock can delete backups. `compliance`: after three days nobody can, not even AWS, and the
   * lock stays for ever.
   */
  readonly lock: 'governance' | 'compliance';
}

/** AWS's minimum: within these days a compliance lock can still be taken off. */
const graceDays = 3;

/**
 * The vault in another account, with a lock, for copies of the table's backups. It is deployed there, by that account's
 * administrators, who should not be those of the service.
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
    const { backupVaultName: name } = vault;
    new CfnOutput(this, 'VaultArn', {
      value: this.formatArn({
        service: 'backup',
        resource: 'backup-vault',
        resourceName: name,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      description: "The setting backupVaultArn of the service's account",
    });
  }
}
