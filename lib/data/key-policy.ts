import { Duration } from 'aws-cdk-lib';
import {
  AccountRootPrincipal,
  AnyPrincipal,
  Effect,
  Policy,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { Key, type KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import { removalPolicyOf, type Stage } from '../settings/stages.ts';

/* Statements of the policies of KMS keys that only functions may use. */

/** Days until a key is deleted that its stack does not keep: the minimum of KMS. */
export const pendingDays = 7;

/** The default key policy: IAM policies of this account decide, unless a statement below denies. */
export function allowAdministration(): PolicyStatement {
  return new PolicyStatement({
    sid: 'AllowAdministration',
    principals: [new AccountRootPrincipal()],
    actions: ['kms:*'],
    resources: ['*'],
  });
}

/**
 * Applies to every principal, including the account's root. `PutKeyPolicy` stays allowed, because KMS refuses to create a
 * key whose policy its creator cannot change. So deleting a key takes two deliberate steps, and CloudTrail shows the first.
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_CreateKey.html
 */
export function denyRemoval(): PolicyStatement {
  return new PolicyStatement({
    sid: 'DenyRemoval',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:ScheduleKeyDeletion', 'kms:DisableKey'],
    resources: ['*'],
  });
}

/**
 * Prevents every other principal of the account, including administrators, from using the key in these ways or granting that
 * right. `exceptRoles` adds who may.
 */
export function denyUse(...actions: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    sid: 'DenyUseOutsideFunctions',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: [...actions, 'kms:CreateGrant'],
    resources: ['*'],
  });
}

/** In a condition, because KMS rejects a principal that it cannot see yet, such as a role created seconds ago. */
export function exceptRoles(denial: PolicyStatement, roleArns: readonly string[]): void {
  denial.addCondition('ArnNotEquals', { 'aws:PrincipalArn': [...roleArns] });
}

/**
 * Denies the role of a function the use of keys outside that function: to another function that gets the role, and to anyone
 * who assumes it. This is a separate policy because the function depends on the role.
 */
export function denyElsewhere(
  fn: EndpointFunction,
  action: string,
  keyArns: readonly string[],
  id = 'OnlyInItsFunction',
): void {
  const denial = denialElsewhere(fn, action, keyArns);
  denial.sid = 'OnlyInItsFunction';
  new Policy(fn, id, { roles: [fn.role], statements: [denial] });
}

/**
 * The negated operator also matches a request without the condition key. The statement is not part of the key's policy because
 * resource policies do not know the condition key. AWS does not document whether the ARN in a request can end with a version, so
 * both forms are accepted.
 * https://docs.aws.amazon.com/lambda/latest/dg/permissions-source-function-arn.html
 */
export function denialElsewhere(fn: EndpointFunction, action: string, keyArns: readonly string[]): PolicyStatement {
  const { functionArn } = fn.function;
  return new PolicyStatement({
    effect: Effect.DENY,
    actions: [action],
    resources: [...keyArns],
    conditions: { ArnNotEquals: { 'lambda:SourceFunctionArn': [functionArn, `${functionArn}:*`] } },
  });
}

export interface SigningKeyProps {
  readonly description: string;
  readonly keySpec: KeySpec;
  readonly stage: Stage;
  /** From `denyUse`; `exceptRoles` adds who may sign. */
  readonly denial: PolicyStatement;
}

/** A key that signs for functions alone; in a stage that keeps data nobody can delete it. */
export function createSigningKey(scope: Construct, { description, keySpec, stage, denial }: SigningKeyProps): Key {
  const removal = stage.keepsData ? [denyRemoval()] : [];
  return new Key(scope, 'Key', {
    description,
    keySpec,
    keyUsage: KeyUsage.SIGN_VERIFY,
    policy: new PolicyDocument({ statements: [allowAdministration(), ...removal, denial] }),
    removalPolicy: removalPolicyOf(stage),
    ...(!stage.keepsData && { pendingWindow: Duration.days(pendingDays) }),
  });
}
