import { describe, expect, test } from '@jest/globals';
import {
  functionsOf,
  onlyResource,
  referredId,
  synthesizeSmallStack,
  synthesizeTemplate,
} from '#test/stack/synthesized-stack.ts';
import type { RequestContext } from '../../../../local/iam/authorization.ts';
import { decide } from '../../../../local/iam/policy-decision.ts';
import { compilePolicy } from '../../../../local/iam/statements.ts';

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
