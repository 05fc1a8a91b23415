import { type CfnResource, Duration, Validations } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, ManagedPolicy, Policy, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnReplicaKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { apiKeyRoots, purposeOf, type RootPurpose } from '#shared/contract/root-purposes.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import { adoptionMetadata } from '../settings/adoption.ts';
import { removalPolicyOf, type Stage } from '../settings/stages.ts';
import type { RootKeyVersion } from '../settings/storage-settings.ts';
import { allowAdministration, denialElsewhere, denyRemoval, denyUse, exceptRoles, pendingDays } from './key-policy.ts';

/**
 * The statements of a managed policy, which has 6,144 characters at most: each has 494 with the longest names. Unlike inline
 * policies, it leaves the 10,240 characters of each role to the role's own statements.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
const functionsPerDenial = 12;

export interface RootKeyProps {
  readonly stage: Stage;
  /** Those of each purpose oldest first; new secrets are derived from the last. */
  readonly versions: readonly RootKeyVersion[];
  /** Versions that the functions may also use, while a release adopts or drops them. Default: none. */
  readonly granted?: readonly RootKeyVersion[];
  /** Whether functions for other purposes may also use the keys of API keys: `granted`, without their environment naming them. */
  readonly shared: 'on' | 'granted' | 'off';
  /** The Regions to which the keys may be replicated. Default: none. */
  readonly replicaRegions?: readonly string[];
  /**
   * The ids of the existing keys that the stack imports, by version. In that template nobody may use any key: an import creates
   * no role that a policy could name. Default: nothing is imported.
   */
  readonly adopted?: Readonly<Record<string, string>> | undefined;
}

/** The functions that may use the keys of one purpose. */
interface Users {
  /** In the policy of each of its keys. */
  readonly denial: PolicyStatement;
  readonly functions: EndpointFunction[];
  use?: Policy;
}

/**
 * The KMS keys from which the secrets of API keys, the MACs of changes and the secrets of options are derived, one per purpose and
 * version. They never leave KMS and cannot be recreated: without them no signature verifies, so in a stage that keeps data nobody
 * can delete them. A principal that can use one can derive everything from it, so only the roles of the functions that need its
 * purpose can (docs/decisions/0108-roots-by-purpose.md), and only inside the functions. This restricts functions,
 * not their code: anyone who may change a function, or the policies here, can use the keys
 * (docs/decisions/0032-who-can-use-the-root-keys.md). They are multi-Region keys from the start, because a key cannot be
 * converted later; replicas compute the same roots.
 * https://docs.aws.amazon.com/kms/latest/developerguide/multi-region-keys-overview.html
 */
export class RootKey extends Construct {
  /** Those of each purpose oldest first. Never an alias, which could be pointed to another key. */
  readonly versions: readonly { readonly name: string; readonly keyArn: string }[];
  readonly #granted: RootKey['versions'];
  readonly #shared: RootKeyProps['shared'];
  readonly #adopted: Readonly<Record<string, string>> | undefined;
  readonly #users = new Map<RootPurpose, Users>();
  readonly #denials: ManagedPolicy[] = [];
  #deniedFunctions = 0;

  constructor(scope: Construct, id: string, props: RootKeyProps) {
    super(scope, id);
    this.#adopted = props.adopted;
    this.#shared = props.shared;
    const addKey = (version: RootKeyVersion) => ({ name: version.name, keyArn: this.#addKey(version, props) });
    this.versions = props.versions.map(addKey);
    this.#granted = (props.granted ?? []).map(addKey);
  }

  /** The ARNs of the keys that the functions use and of those that they may also use. */
  get keyArns(): string[] {
    return [...this.versions, ...this.#granted].map(({ keyArn }) => keyArn);
  }

  /**
   * Allows a function to compute the roots of these purposes, and no others: `GenerateMac` with HMAC_SHA_256 and nothing else, from
   * inside the function; and names them in its environment, as `ROOT_KEYS`.
   */
  grantUse(fn: EndpointFunction, ...purposes: readonly RootPurpose[]): void {
    const withShared = new Set([apiKeyRoots, ...purposes]);
    const listed = this.#shared === 'on' ? withShared : new Set(purposes);
    const versions = this.versions.filter(({ name }) => listed.has(purposeOf(name)));
    fn.function.addEnvironment('ROOT_KEYS', versions.map(({ name, keyArn }) => `${name}=${keyArn}`).join(','));
    for (const purpose of this.#shared === 'off' ? listed : withShared) this.#allowUse(fn, purpose);
    this.#denyElsewhere(fn);
  }

  /** One policy for all roles: the same statement in each of them would be a resource for each function. */
  #allowUse(fn: EndpointFunction, purpose: RootPurpose): void {
    const keys = [...this.versions, ...this.#granted].filter(({ name }) => purposeOf(name) === purpose);
    if (keys.length === 0) return;
    const users = this.#usersOf(purpose);
    users.functions.push(fn);
    if (this.#adopted === undefined) {
      exceptRoles(
        users.denial,
        users.functions.map(({ role }) => role.roleArn),
      );
    }
    users.use ??= new Policy(this, purpose === apiKeyRoots ? 'Use' : `UseOf${purpose.toUpperCase()}`, {
      statements: [
        new PolicyStatement({
          actions: ['kms:GenerateMac'],
          resources: keys.map(({ keyArn }) => keyArn),
          conditions: { StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } },
        }),
      ],
    });
    users.use.attachToRole(fn.role);
    fn.function.node.addDependency(users.use);
  }

  #usersOf(purpose: RootPurpose): Users {
    const known = this.#users.get(purpose);
    if (known !== undefined) return known;
    const users: Users = { denial: denyUse('kms:GenerateMac', 'kms:VerifyMac'), functions: [] };
    this.#users.set(purpose, users);
    return users;
  }

  /** Binds a role to its function. Several functions share a policy, in which each statement is about one role. */
  #denyElsewhere(fn: EndpointFunction): void {
    const at = Math.floor(this.#deniedFunctions / functionsPerDenial);
    this.#deniedFunctions += 1;
    const policy = this.#denials[at] ?? this.#createDenials(`OnlyInTheirFunctions${at + 1}`);
    this.#denials[at] = policy;
    const denial = denialElsewhere(fn, 'kms:GenerateMac', ['*']);
    denial.addCondition('ArnEquals', { 'aws:PrincipalArn': fn.role.roleArn });
    policy.addStatements(denial);
    policy.attachToRole(fn.role);
  }

  #createDenials(id: string): ManagedPolicy {
    const policy = new ManagedPolicy(this, id, {
      description: 'Denies each of its roles the use of root keys outside its function',
    });
    Validations.of(policy).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'It only denies: the ARNs of the keys in each statement would take the room of other functions.',
    });
    return policy;
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
      policy: this.#policy(version, props),
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
      keyPolicy: this.#policy(version, props),
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
  #policy(version: string, { stage, replicaRegions = [] }: RootKeyProps): PolicyDocument {
    const { denial } = this.#usersOf(purposeOf(version));
    const removal = stage.keepsData ? [denyRemoval()] : [];
    return new PolicyDocument({
      statements: [allowAdministration(), ...removal, denial, denyCopies(replicaRegions)],
    });
  }
}

function describe(version: string, { stage }: RootKeyProps): string {
  return `Root of ${stage.serviceName}, version ${version}`;
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
