import { expect, test } from '@jest/globals';
import { onlyResource, resourcesOf, synthesizeSmallStack, synthesizeTemplate } from './synthesized-stack.ts';

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
