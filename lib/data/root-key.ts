import { type CfnResource, Duration } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnReplicaKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import { adoptionMetadata } from '../settings/adoption.ts';
import { removalPolicyOf, type Stage } from '../settings/stages.ts';
import type { RootKeyVersion } from '../settings/storage-settings.ts';
import { allowAdministration, denyElsewhere, denyRemoval, denyUse, exceptRoles, pendingDays } from './key-policy.ts';

export interface RootKeyProps {
  readonly stage: Stage;
  /** Oldest first; new API keys are derived from the last. */
  readonly versions: readonly RootKeyVersion[];
  /** Versions that the functions may also use, while a release adopts or drops them. Default: none. */
  readonly granted?: readonly RootKeyVersion[];
  /** The Regions to which the keys may be replicated. Default: none. */
  readonly replicaRegions?: readonly string[];
  /**
   * The ids of the existing keys that the stack imports, by version. In that template nobody may use any key: an import creates
   * no role that a policy could name. Default: nothing is imported.
   */
  readonly adopted?: Readonly<Record<string, string>> | undefined;
}

/**
 * The KMS keys from which the secrets of all API keys are derived, one per version. They never leave KMS and cannot be
 * recreated: without them no signature verifies, so in a stage that keeps data nobody can delete them. A principal that can
 * use them can sign as any client, so only the functions' roles can, and only inside the functions. This restricts functions,
 * not their code: anyone who may change a function, or the policies here, can use the keys
 * (docs/decisions/0032-who-can-use-the-root-keys.md). They are multi-Region keys from the start, because a key cannot be
 * converted later; replicas compute the same roots.
 * https://docs.aws.amazon.com/kms/latest/developerguide/multi-region-keys-overview.html
 */
export class RootKey extends Construct {
  /** Oldest first. Never an alias, which could be pointed to another key. */
  readonly versions: readonly { readonly name: string; readonly keyArn: string }[];
  readonly #grantedArns: readonly string[];
  readonly #adopted: Readonly<Record<string, string>> | undefined;
  readonly #denyUse = denyUse('kms:GenerateMac', 'kms:VerifyMac');
  readonly #userArns: string[] = [];

  constructor(scope: Construct, id: string, props: RootKeyProps) {
    super(scope, id);
    this.#adopted = props.adopted;
    this.versions = props.versions.map((version) => ({ name: version.name, keyArn: this.#addKey(version, props) }));
    this.#grantedArns = (props.granted ?? []).map((version) => this.#addKey(version, props));
  }

  /** The ARNs of the keys that the functions use and of those that they may also use. */
  get keyArns(): string[] {
    return [...this.versions.map(({ keyArn }) => keyArn), ...this.#grantedArns];
  }

  /** The value of `ROOT_KEYS` in the functions' environment. */
  get rootKeys(): string {
    return this.versions.map(({ name, keyArn }) => `${name}=${keyArn}`).join(',');
  }

  /** Allows a function to compute the roots: `GenerateMac` with HMAC_SHA_256 and nothing else, from inside the function. */
  grantGenerateMac(fn: EndpointFunction): void {
    const resources = this.keyArns;
    this.#userArns.push(fn.role.roleArn);
    if (this.#adopted === undefined) exceptRoles(this.#denyUse, this.#userArns);
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['kms:GenerateMac'],
        resources,
        conditions: { StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } },
      }),
    );
    denyElsewhere(fn, 'kms:GenerateMac', resources);
  }

  #addKey({ name, primaryArn }: RootKeyVersion, props: RootKeyProps): string {
    return primaryArn === undefined ? this.#createKey(name, props) : this.#replicateKey(name, primaryArn, props);
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
    this.#adopt(version, key.node.defaultChild as CfnResource);
    return key.keyArn;
  }

  #replicateKey(version: string, primaryKeyArn: string, props: RootKeyProps): string {
    const key = new CfnReplicaKey(this, version.toUpperCase(), {
      description: describe(version, props),
      primaryKeyArn,
      keyPolicy: this.#policy(props),
      ...(!props.stage.keepsData && { pendingWindowInDays: pendingDays }),
    });
    key.applyRemovalPolicy(removalPolicyOf(props.stage));
    this.#adopt(version, key);
    return key.attrArn;
  }

  #adopt(version: string, key: CfnResource): void {
    const id = this.#adopted?.[version];
    if (id !== undefined) key.addMetadata(adoptionMetadata, { KeyId: id });
  }

  /** Each replica has its own policy, which names the functions of its Region. */
  #policy({ stage, replicaRegions = [] }: RootKeyProps): PolicyDocument {
    const removal = stage.keepsData ? [denyRemoval()] : [];
    return new PolicyDocument({
      statements: [allowAdministration(), ...removal, this.#denyUse, denyCopies(replicaRegions)],
    });
  }
}

function describe(version: string, { stage }: RootKeyProps): string {
  return `Root of the API keys of ${stage.serviceName}, version ${version}`;
}

/** A principal that replicates a key writes the replica's policy, and could allow itself to use it. */
function denyCopies(regions: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    sid: 'DenyOtherReplicas',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:ReplicateKey'],
    resources: ['*'],
    ...(regions.length > 0 && { conditions: { StringNotEquals: { 'kms:ReplicaRegion': [...regions] } } }),
  });
}
