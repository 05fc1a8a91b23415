import { Duration } from 'aws-cdk-lib';
import { AccountRootPrincipal, AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnReplicaKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { EndpointFunction } from './endpoint-function.ts';
import { removalPolicyOf, type Stage } from './stages.ts';

export interface RootKeyProps {
  readonly stage: Stage;
  /** Oldest first; new API keys are derived from the last. */
  readonly versions: readonly RootKeyVersion[];
  /** Where the keys may be copied to. Default: nowhere. */
  readonly replicaRegions?: readonly string[];
}

/** A root of API keys. */
export interface RootKeyVersion {
  /** As API keys name it: `k1`. */
  readonly name: string;
  /** The ARN of the key of another Region, of which this one is to be a copy. Default: it is a key of its own. */
  readonly primaryArn?: string | undefined;
}

/**
 * The KMS keys from which every API key's secret is derived, one per version. They never leave KMS and cannot be made
 * again: without them no client's signature verifies, so where the stage keeps data nobody may delete them; and whoever
 * may use them can sign as every client, so only the functions named here may. They are multi-Region keys from the
 * beginning, because no key can become one, and the copies give the same roots.
 * https://docs.aws.amazon.com/kms/latest/developerguide/multi-region-keys-overview.html
 */
export class RootKey extends Construct {
  /** The functions' `ROOT_KEYS`: versions and key ARNs. Never an alias, which could be turned to another key. */
  readonly rootKeys: string;
  readonly #keyArns: readonly string[];
  readonly #denyUse = denyUse();
  readonly #userArns: string[] = [];

  constructor(scope: Construct, id: string, props: RootKeyProps) {
    super(scope, id);
    const keys = props.versions.map(({ name, primaryArn }) => {
      const keyArn = primaryArn === undefined ? this.#createKey(name, props) : this.#copyKey(name, primaryArn, props);
      return { name, keyArn };
    });
    this.#keyArns = keys.map(({ keyArn }) => keyArn);
    this.rootKeys = keys.map(({ name, keyArn }) => `${name}=${keyArn}`).join(',');
  }

  /** Allows a function to compute the roots: `GenerateMac` with HMAC_SHA_256 and nothing else. */
  grantGenerateMac(fn: EndpointFunction): void {
    this.#userArns.push(fn.role.roleArn);
    this.#denyUse.addCondition('ArnNotEquals', { 'aws:PrincipalArn': [...this.#userArns] });
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['kms:GenerateMac'],
        resources: [...this.#keyArns],
        conditions: { StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } },
      }),
    );
  }

  #createKey(version: string, props: RootKeyProps): string {
    const key = new Key(this, version.toUpperCase(), {
      description: describe(version, props),
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      multiRegion: true,
      policy: this.#policy(props),
      removalPolicy: removalPolicyOf(props.stage),
      ...(!props.stage.keepsData && { pendingWindow: Duration.days(pendingDays) }),
    });
    return key.keyArn;
  }

  #copyKey(version: string, primaryKeyArn: string, props: RootKeyProps): string {
    const key = new CfnReplicaKey(this, version.toUpperCase(), {
      description: describe(version, props),
      primaryKeyArn,
      keyPolicy: this.#policy(props),
      ...(!props.stage.keepsData && { pendingWindowInDays: pendingDays }),
    });
    key.applyRemovalPolicy(removalPolicyOf(props.stage));
    return key.attrArn;
  }

  /** A copy has a policy of its own, so each has to name its own Region's functions. */
  #policy({ stage, replicaRegions = [] }: RootKeyProps): PolicyDocument {
    const guards = stage.keepsData ? [denyRemoval()] : [];
    return new PolicyDocument({
      statements: [allowAdministration(), ...guards, this.#denyUse, denyCopies(replicaRegions)],
    });
  }
}

const pendingDays = 7;

function describe(version: string, { stage }: RootKeyProps): string {
  return `Root of the API keys of ${stage.serviceName}, version ${version}`;
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

/** Whoever copies a key writes the copy's policy, and could name themselves in it. */
function denyCopies(regions: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    sid: 'OnlyToItsRegionsCopied',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:ReplicateKey'],
    resources: ['*'],
    ...(regions.length > 0 && { conditions: { StringNotEquals: { 'kms:ReplicaRegion': [...regions] } } }),
  });
}
