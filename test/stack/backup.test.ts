import { describe, expect, test } from '@jest/globals';
import type { RequestContext } from '../../local/iam/authorization.ts';
import { decide } from '../../local/iam/policy-decision.ts';
import { compilePolicy } from '../../local/iam/statements.ts';
import {
  functionsOf,
  onlyResource,
  referredId,
  resourcesOf,
  synthesizeSmallStack,
  synthesizeTemplate,
} from './synthesized-stack.ts';

const vaultArn = 'arn:aws:backup:eu-central-1:222233334444:backup-vault:Copies';
const template = await synthesizeTemplate({ stage: 'prod', backupVaultArn: vaultArn, backupRetentionDays: '60' });
const [tableId] = onlyResource(template, 'AWS::DynamoDB::GlobalTable');
const [vaultId, vault] = onlyResource(template, 'AWS::Backup::BackupVault');
const [, plan] = onlyResource(template, 'AWS::Backup::BackupPlan');
const [, selection] = onlyResource(template, 'AWS::Backup::BackupSelection');

test("without its setting there are no backups except the table's own", async () => {
  const types = Object.values((await synthesizeTemplate({ stage: 'prod' })).Resources).map(({ Type }) => Type);
  expect(types.filter((type) => type.startsWith('AWS::Backup::'))).toEqual([]);
});

test("each night the table is backed up and copied to the other account's vault, for the configured days", () => {
  const [rule, ...others] = Object(plan.Properties.BackupPlan).BackupPlanRule;
  expect(others).toEqual([]);
  expect(rule).toMatchObject({
    ScheduleExpression: 'cron(0 1 * * ? *)',
    TargetBackupVault: { 'Fn::GetAtt': [vaultId, 'BackupVaultName'] },
    Lifecycle: { DeleteAfterDays: 7 },
    CopyActions: [{ DestinationBackupVaultArn: vaultArn, Lifecycle: { DeleteAfterDays: 60 } }],
  });
  expect(Object(selection.Properties.BackupSelection).Resources).toEqual([{ 'Fn::GetAtt': [tableId, 'Arn'] }]);
});

test('a table of another stack or a restored one is backed up instead', async () => {
  const tableArn = 'arn:aws:dynamodb:eu-central-1:123456789012:table/AuthService-prod-Items-restored';
  const restored = await synthesizeTemplate({
    stage: 'prod',
    backupVaultArn: vaultArn,
    tableStreamArn: `${tableArn}/stream/2026-11-20T19:14:11.123`,
  });
  const [, { Properties }] = onlyResource(restored, 'AWS::Backup::BackupSelection');
  expect(Object(Properties.BackupSelection).Resources).toEqual([tableArn]);
});

test('the vault of this account has its own key, and lets the other account copy a backup back', () => {
  const account = JSON.stringify(['', ['arn:', { Ref: 'AWS::Partition' }, ':iam::222233334444:root']]);
  expect(vault).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EncryptionKeyArn: expect.anything() } });
  const [statement] = Object(vault.Properties.AccessPolicy).Statement;
  expect(statement).toMatchObject({ Effect: 'Allow', Action: 'backup:CopyIntoBackupVault' });
  expect(JSON.stringify(statement.Principal)).toContain(account);
});

test('the vault has another name in each stage, and in a stack that is created again beside the vault that the first left', async () => {
  const staging = await synthesizeTemplate({ stage: 'staging', backupVaultArn: vaultArn });
  const [, other] = onlyResource(staging, 'AWS::Backup::BackupVault');
  expect(other.Properties.BackupVaultName).not.toEqual(vault.Properties.BackupVaultName);
  expect(JSON.stringify(vault.Properties.BackupVaultName)).toContain('{"Ref":"AWS::StackId"}');
});

test('a failed backup or copy notifies the topic', () => {
  const [topicId] = onlyResource(template, 'AWS::SNS::Topic');
  const rules = [...resourcesOf(template, 'AWS::Events::Rule').values()].map(({ Properties }) => Properties);
  const rule = rules.find(({ EventPattern }) => Object(EventPattern).source?.[0] === 'aws.backup');
  expect(rule?.EventPattern).toMatchObject({
    'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
    detail: { state: ['FAILED', 'ABORTED', 'EXPIRED'], resourceArn: [{ 'Fn::GetAtt': [tableId, 'Arn'] }] },
  });
  expect(rule?.Targets).toMatchObject([{ Arn: { Ref: topicId } }]);
});

test.each([
  ['governance', undefined],
  ['compliance', 3],
] as const)('the vault of the second account is locked, in the mode %s', async (lock, changeableDays) => {
  const stack = await synthesizeSmallStack('backup-vault', { lock });
  const [, locked] = onlyResource(stack.template, 'AWS::Backup::BackupVault');
  expect(locked.Properties.LockConfiguration).toEqual({
    MinRetentionDays: 35,
    ...(changeableDays !== undefined && { ChangeableForDays: changeableDays }),
  });
  expect(locked).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  expect(JSON.stringify(locked.Properties.AccessPolicy)).toMatch(/CopyIntoBackupVault.*:iam::111122223333:root/);
  expect(stack.terminationProtection).toBe(true);
});

describe('the bucket for signed heads in the second account', () => {
  test.each([
    ['governance', 'GOVERNANCE'],
    ['compliance', 'COMPLIANCE'],
  ])('keeps each version of an object for as long as the vault keeps a backup, in the mode %s', async (lock, Mode) => {
    const stack = await synthesizeSmallStack('backup-vault', { lock });
    const [, bucket] = onlyResource(stack.template, 'AWS::S3::Bucket');
    expect(bucket).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        ObjectLockEnabled: true,
        ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled', Rule: { DefaultRetention: { Days: 35, Mode } } },
        VersioningConfiguration: { Status: 'Enabled' },
        LifecycleConfiguration: {
          Rules: [
            { ExpirationInDays: 400, NoncurrentVersionExpiration: { NoncurrentDays: 1 }, Status: 'Enabled' },
            { ExpiredObjectDeleteMarker: true, Status: 'Enabled' },
          ],
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      },
    });
  });

  const bucketArn = 'arn:aws:s3:::authservice-backupvault-heads';
  const role = 'arn:aws:iam::111122223333:role/AuthService-prod-HeadSigningSignRole1A2B3C4D-AbCdEfGhIjKl';
  const isAllowed = async (action: string, resource: string, given: Partial<RequestContext> = {}) => {
    const { template: other } = await synthesizeSmallStack('backup-vault', { lock: 'governance' });
    const [bucketId] = onlyResource(other, 'AWS::S3::Bucket');
    const [, { Properties }] = onlyResource(other, 'AWS::S3::BucketPolicy');
    const text = JSON.stringify(Properties.PolicyDocument)
      .replaceAll(`{"Fn::GetAtt":["${bucketId}","Arn"]}`, `"${bucketArn}"`)
      .replaceAll('{"Ref":"AWS::Partition"}', '"aws"')
      .replaceAll(/\{"Fn::Join":\["",(\[[^\]]*\])\]\}/g, (_, parts) => JSON.stringify(JSON.parse(parts).join('')));
    const context = { 'aws:PrincipalArn': role, 'aws:SecureTransport': 'true', 's3:if-none-match': '*', ...given };
    const resourcePolicy = compilePolicy('resource', { place: 'bucket', json: JSON.parse(text) });
    const identity = compilePolicy('identity', { place: 'role', json: everything });
    const principal = String(context['aws:PrincipalArn']);
    const applies = resourcePolicy.filter((statement) => statement.applies({ action, resource, context }, principal));
    // Between accounts, both the role's policies and the bucket's must allow the request.
    const decision = decide({ action, resource, context }, principal, { identity, resource: resourcePolicy });
    return decision === 'allowed' && applies.some(({ effect }) => effect === 'Allow');
  };
  const everything = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
  const object = `${bucketArn}/auth-service/2026-11-25-01KB3ZC4N7Z3QF4V6E5T8S9R2W/00001.jsonl`;

  test("lets the signing function of the service's account add objects", async () => {
    expect(await isAllowed('s3:PutObject', object)).toBe(true);
  });

  test.each<[string, Partial<RequestContext>]>([
    ['without If-None-Match, which could replace one', { 's3:if-none-match': undefined }],
    ['without TLS', { 'aws:SecureTransport': 'false' }],
    ['from another role of the account', { 'aws:PrincipalArn': role.replace('HeadSigningSignRole', 'ManageRole') }],
    ['from another account', { 'aws:PrincipalArn': role.replace('111122223333', '444455556666') }],
  ])('lets nobody add an object %s', async (_, context) => {
    expect(await isAllowed('s3:PutObject', object, context)).toBe(false);
  });

  test.each([
    'GetObject',
    'DeleteObject',
    'DeleteObjectVersion',
    'PutObjectRetention',
    'BypassGovernanceRetention',
    'PutObjectLegalHold',
    'PutObjectAcl',
    'PutObjectTagging',
    'AbortMultipartUpload',
  ])('lets the service do nothing else with objects: %s', async (name) => {
    expect(await isAllowed(`s3:${name}`, object)).toBe(false);
  });

  test.each(['ListBucket', 'PutBucketPolicy', 'PutLifecycleConfiguration', 'PutBucketObjectLockConfiguration'])(
    'lets the service do nothing with the bucket: %s',
    async (name) => {
      expect(await isAllowed(`s3:${name}`, bucketArn)).toBe(false);
    },
  );

  test('knows the role of the signing function by the name that CloudFormation gives it, in each stage', async () => {
    for (const stage of ['dev', 'staging', 'prod']) {
      const stack = await synthesizeTemplate({ stage, headsBucket: 'authservice-backupvault-heads' });
      const [, fn] = [...functionsOf(stack)].find(([name]) => name === 'sign-heads') ?? [];
      const name = `AuthService-${stage}-${referredId(fn?.Properties.Role)}-AbCdEfGhIjKl`;
      expect(name.length).toBeLessThanOrEqual(64);
      const arn = `arn:aws:iam::111122223333:role/${name}`;
      expect([stage, await isAllowed('s3:PutObject', object, { 'aws:PrincipalArn': arn })]).toEqual([stage, true]);
    }
  });
});
