import { Duration } from 'aws-cdk-lib';
import { AccountRootPrincipal, AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { EndpointFunction } from './endpoint-function.ts';
import { removalPolicyOf, type Stage } from './stages.ts';

export interface RootKeyProps {
  readonly stage: Stage;
}

/**
 * The KMS key from which every API key's secret is derived. It never leaves KMS and cannot be made again: without it no
 * client's signature verifies, so where the stage keeps data nobody may delete it; and whoever may use it can sign as
 * every client, so only the functions named here may.
 */
export class RootKey extends Construct {
  readonly key: Key;
  /** The functions' `ROOT_KEYS`: versions and key ARNs. Never an alias, which could be turned to another key. */
  readonly rootKeys: string;
  readonly #denyUse = denyUse();
  readonly #userArns: string[] = [];

  constructor(scope: Construct, id: string, { stage }: RootKeyProps) {
    super(scope, id);
    this.key = new Key(this, 'K1', {
      description: 'Root of the API keys of auth-service, version k1',
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      policy: new PolicyDocument({
        statements: [allowAdministration(), ...(stage.keepsData ? [denyRemoval()] : []), this.#denyUse],
      }),
      removalPolicy: removalPolicyOf(stage),
      ...(!stage.keepsData && { pendingWindow: Duration.days(7) }),
    });
    this.rootKeys = `k1=${this.key.keyArn}`;
  }

  /** Allows a function to compute the root: `GenerateMac` with HMAC_SHA_256 and nothing else. */
  grantGenerateMac(fn: EndpointFunction): void {
    this.#userArns.push(fn.role.roleArn);
    this.#denyUse.addCondition('ArnNotEquals', { 'aws:PrincipalArn': [...this.#userArns] });
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['kms:GenerateMac'],
        resources: [this.key.keyArn],
        conditions: { StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } },
      }),
    );
  }
}

/** The default key policy: IAM policies of this account decide, as far as no statement below denies. */
function allowAdministration(): PolicyStatement {
  return new PolicyStatement({
    sid: 'AccountAdministers',
    principals: [new AccountRootPrincipal()],
    actions: ['kms:*'],
    resources: ['*'],
  });
}

/**
 * Holds for everyone, the account's root too. `PutKeyPolicy` stays allowed: KMS refuses to create a key whose policy its
 * creator cannot change, and removing the key is so two deliberate steps, of which CloudTrail shows the first.
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_CreateKey.html
 */
function denyRemoval(): PolicyStatement {
  return new PolicyStatement({
    sid: 'NobodyRemoves',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:ScheduleKeyDeletion', 'kms:DisableKey'],
    resources: ['*'],
  });
}

/**
 * Keeps everyone else in the account, administrators too, from computing a MAC or passing that right on. The roles stand
 * in a condition because KMS refuses a principal that it cannot see yet, which a role made seconds ago may be.
 */
function denyUse(): PolicyStatement {
  return new PolicyStatement({
    sid: 'OnlyItsFunctionsUse',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:GenerateMac', 'kms:VerifyMac', 'kms:CreateGrant'],
    resources: ['*'],
  });
}
