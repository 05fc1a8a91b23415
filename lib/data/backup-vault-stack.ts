import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { BackupVault } from 'aws-cdk-lib/aws-backup';
import { AccountPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { HeadsBucket } from './heads-bucket.ts';

export interface BackupVaultStackProps extends StackProps {
  /** The account whose backups are kept: 12 digits. */
  readonly sourceAccount: string;
  /** Days for which a backup and a file of signed heads cannot be deleted. */
  readonly minRetentionDays: number;
  /**
   * `governance`: anyone who may delete the lock can delete backups, and who may bypass it heads. `compliance`: after three days
   * nobody can, not even AWS, and the lock is permanent; that of a file of heads is so from the beginning.
   */
  readonly lock: 'governance' | 'compliance';
}

/** AWS's minimum: a compliance lock can still be removed within these days. */
const graceDays = 3;

/**
 * The locked vault in another account for copies of the table's backups, and the locked bucket for signed heads of the
 * histories, which costs nothing until it is used. That account's administrators, who should not be the
 * service's, deploy it there.
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
    new HeadsBucket(this, 'Heads', { sourceAccount, minRetentionDays, lock });
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
