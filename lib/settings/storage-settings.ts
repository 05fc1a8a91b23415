import type { Node } from 'constructs';
import * as v from 'valibot';
import { purposeOf, rootVersionPattern } from '#shared/contract/root-purposes.ts';
import { rootPurposes } from '../options/option-roots.ts';
import { deploymentContext } from './context-names.ts';
import { type GivenSettings, regionPattern } from './given-settings.ts';
import { parseJson, readList, readPositiveInteger, readSwitch, readText } from './setting-value.ts';
import type { Stage } from './stages.ts';
import { requireTable, tableOfStream } from './table-arn.ts';

/** The Region of the stack, if one is chosen. */
export function readRegion(given: GivenSettings): string | undefined {
  const region = readText(given, 'region');
  if (region === undefined || regionPattern.test(region)) return region;
  throw new Error(`The setting region must be an AWS Region such as eu-central-1, not ${region}`);
}

/** Where the data of a deployment is. */
export interface StorageSettings {
  /** The Regions for replicas of the table and the root keys. */
  readonly replicaRegions: readonly string[];
  /** The stream ARN of an existing table. Absent: the stack creates a table. */
  readonly tableStreamArn: string | undefined;
  /**
   * `on` or `off`: whether the stack stands by for the Region that writes. Nothing in it reads the table's stream, so that each
   * change is published and numbered in one Region only. `on` requires `tableStreamArn`. Default: `off`.
   */
  readonly standby: 'on' | 'off';
  /** The ARNs of tables that the functions may also use, while a release switches tables. */
  readonly grantedTables: readonly string[];
  /** Those of each purpose oldest first; new secrets are derived from the last. */
  readonly rootKeys: readonly RootKeyVersion[];
  /** Root keys that the functions may also use, while a release adopts or drops them. */
  readonly grantedRootKeys: readonly RootKeyVersion[];
  /**
   * Whether functions for other purposes also use the roots of API keys, from which everything was derived before there were others:
   * `granted`, if only versions that a release replaces do.
   */
  readonly sharedRoots: 'on' | 'granted' | 'off';
}

const losingSettings = [
  'table',
  'replicaRegions',
  'rootKeys',
  'oidcIssuer',
  'headsBucket',
  'webhooks',
  'login',
  'logs',
] as const;

/** A setting whose change can lose something; `table` stands for `tableStreamArn`, and `logs` for no setting. */
export type LosingSetting = (typeof losingSettings)[number];

/** The settings whose losses the operator has confirmed for this deployment; throws on any other. */
export function readConfirmedChanges(node: Node): readonly LosingSetting[] {
  const text: unknown = node.tryGetContext(deploymentContext.confirmChange);
  const given = text === undefined ? [] : String(text).split(',');
  const { success, output } = v.safeParse(v.array(v.picklist(losingSettings)), given);
  if (success) return output;
  throw new Error(
    `${deploymentContext.confirmChange} takes ${losingSettings.join(', ')}, separated by commas, not ${text}`,
  );
}

const transitionSchema = v.object({
  /** `widen` still uses what is deployed, and also allows what the settings say; `release` is the reverse. */
  step: v.picklist(['widen', 'release']),
  deployed: v.object({
    replicaRegions: v.array(v.string()),
    tableArn: v.string(),
    /** Absent: the table of the stack itself. */
    tableStreamArn: v.optional(v.string()),
    rootKeys: v.array(v.object({ name: v.string(), primaryArn: v.optional(v.string()) })),
    /** Whether the roots of API keys serve every purpose. */
    sharedRoots: v.optional(v.boolean(), false),
  }),
});

/** A step in which `npm run deploy` switches to another table or other root keys. */
export type Transition = v.InferOutput<typeof transitionSchema>;

/**
 * The table and the root keys of the settings. In a transition, the functions may also use the deployed ones: a role belongs
 * to all versions of a function, and the deployed version answers until the new one does.
 */
export function readStorage(node: Node, given: GivenSettings, stage: Stage): StorageSettings {
  const replicaRegions = readReplicaRegions(given);
  const tableStreamArn = readTableStreamArn(given, stage);
  const planned = {
    replicaRegions,
    tableStreamArn,
    tableArn: tableStreamArn && tableOfStream(tableStreamArn),
    rootKeys: readRootKeys(given, stage),
    sharedRoots: readList(given, 'rootKeys').includes(sharedEntry),
  };
  const text: unknown = node.tryGetContext(deploymentContext.transition);
  const transition = text === undefined ? undefined : v.parse(transitionSchema, parseJson(String(text)));
  const [used, other] =
    transition?.step === 'widen' ? [transition.deployed, planned] : [planned, transition?.deployed ?? planned];
  const areOwn = [used, other].every((storage) => storage.tableStreamArn === undefined);
  return {
    replicaRegions: used.replicaRegions,
    tableStreamArn: used.tableStreamArn,
    standby: readStandby(given),
    grantedTables: areOwn || other.tableArn === undefined || other.tableArn === used.tableArn ? [] : [other.tableArn],
    rootKeys: used.rootKeys,
    grantedRootKeys: other.rootKeys.filter(({ name }) => used.rootKeys.every((version) => version.name !== name)),
    sharedRoots: used.sharedRoots ? 'on' : other.sharedRoots ? 'granted' : 'off',
  };
}

function readStandby(given: GivenSettings): StorageSettings['standby'] {
  const isOn = readSwitch(given, 'standby', false);
  if (isOn && readText(given, 'tableStreamArn') === undefined) {
    throw new Error(
      'The setting standby requires tableStreamArn: a stack with a table of its own is the one that writes',
    );
  }
  return isOn ? 'on' : 'off';
}

/** The Regions for replicas of the table and the root keys. */
function readReplicaRegions(given: GivenSettings): string[] {
  const regions = readList(given, 'replicaRegions');
  if (regions.length === 0) return [];
  const home = readText(given, 'region');
  if (home === undefined) throw new Error('The setting replicaRegions requires region, the Region of the stack itself');
  if (readText(given, 'tableStreamArn') !== undefined) {
    throw new Error(
      'The settings replicaRegions and tableStreamArn cannot be combined: a stack replicates only its own table',
    );
  }
  const known = new Set([home, ...regions]);
  if (known.size === regions.length + 1 && regions.every((region) => regionPattern.test(region))) return regions;
  throw new Error(`The setting replicaRegions must list AWS Regions other than ${home}, each once, not ${regions}`);
}

/** The stream of an existing table of the stage, which the stack uses instead of creating one. */
function readTableStreamArn(given: GivenSettings, stage: Stage): string | undefined {
  const arn = readText(given, 'tableStreamArn');
  if (arn === undefined) return undefined;
  const [, tableArn] = /^(arn:\S+:table\/[^/]+)\/stream\/[\d:T.-]+$/.exec(arn) ?? [];
  if (tableArn === undefined) {
    throw new Error(`The setting tableStreamArn must be the ARN of a table's stream (LatestStreamArn), not ${arn}`);
  }
  const region = requireTable(tableArn, 'The setting tableStreamArn', stage);
  const home = readText(given, 'region') ?? region;
  if (home !== region)
    throw new Error(`The setting tableStreamArn must be in the stack's Region ${home}, not in ${region}`);
  return arn;
}

/** A version of the root key. */
export interface RootKeyVersion {
  /** The name in the ids of what is derived from it, such as `k1`; its letter is the purpose. */
  readonly name: string;
  /** The ARN of the primary key in another Region, to replicate it. Default: a new key. */
  readonly primaryArn?: string | undefined;
}

/** Beside the versions, it says that those of API keys also serve every other purpose. */
const sharedEntry = 'shared';

/**
 * The root keys, those of each purpose oldest first, to create or to replicate. Every stack has a root for every purpose, whatever
 * it offers: one that came with a setting and went with it would be another key when it came back.
 */
export function readRootKeys(given: GivenSettings, stage: Stage): RootKeyVersion[] {
  const entries = readList(given, 'rootKeys').filter((entry) => entry !== sharedEntry);
  const copied = entries.filter((entry) => entry.includes('='));
  if (copied.length === 0) {
    requireOrder(entries);
    return rootPurposes.flatMap((purpose) => {
      const own = entries.filter((name) => purposeOf(name) === purpose);
      return (own.length === 0 ? [`${purpose}1`] : own).map((name) => ({ name }));
    });
  }
  if (copied.length < entries.length) {
    throw new Error(
      'The setting rootKeys must list either the versions of the stack or those of another Region, not both',
    );
  }
  const home = readText(given, 'region');
  if (home === undefined) throw new Error('The setting rootKeys requires region, the Region of the copies');
  const versions = entries.map((entry) => readPrimaryRootKey(entry, home, stage));
  requireOrder(versions.map(({ name }) => name));
  const missing = rootPurposes.find((purpose) => versions.every(({ name }) => purposeOf(name) !== purpose));
  if (missing === undefined) return versions;
  throw new Error(
    `The setting rootKeys lacks the root ${missing}1 of the stack of ${stage.name} in another Region: take its whole output RootKeys`,
  );
}

/** Only multi-Region keys, whose ids begin with `mrk-`, can be replicated, and only to another Region. */
function readPrimaryRootKey(entry: string, home: string, { name: stage }: Stage): RootKeyVersion {
  const [, owner, name = '', primaryArn = '', region = home] =
    /^(\w+)\/(\w+)=(arn:[\w-]+:kms:([\w-]+):\d{12}:key\/mrk-\w+)$/.exec(entry) ?? [];
  if (owner === stage && region !== home) return { name, primaryArn };
  throw new Error(
    `The setting rootKeys must be the output RootKeys of the stack of ${stage} in another Region, not ${entry}`,
  );
}

function requireOrder(versions: readonly string[]): void {
  const areKnown = versions.every((version) => rootVersion.test(version) && rootPurposes.includes(purposeOf(version)));
  const areOrdered = rootPurposes.every((purpose) => {
    const numbers = versions.flatMap((version) => (purposeOf(version) === purpose ? Number(version.slice(1)) : []));
    return numbers.every((number, at) => number > (numbers[at - 1] ?? 0));
  });
  if (areKnown && areOrdered) return;
  throw new Error(`The setting rootKeys must list versions, oldest first, such as k1,k2; not ${versions}`);
}

const rootVersion = new RegExp(`^${rootVersionPattern}$`);

export interface BackupSettings {
  /** The vault in another account, in the same Region, that keeps a copy of each backup. */
  readonly vaultArn: string;
  /** Days that a copy is kept: at least the lock's minimum, or AWS Backup refuses the copy. */
  readonly retentionDays: number;
}

/** From `backupVaultArn` and `backupRetentionDays`, by default 35. */
export function readBackup(given: GivenSettings): BackupSettings | undefined {
  const vaultArn = readText(given, 'backupVaultArn');
  if (vaultArn === undefined) {
    if (readText(given, 'backupRetentionDays') === undefined) return undefined;
    throw new Error('The setting backupRetentionDays requires backupVaultArn');
  }
  const [, region] = /^arn:[\w-]+:backup:([\w-]+):\d{12}:backup-vault:[\w-]{2,50}$/.exec(vaultArn) ?? [];
  if (region === undefined) throw new Error(`The setting backupVaultArn must be the ARN of a vault, not ${vaultArn}`);
  const home = readText(given, 'region');
  // DynamoDB cannot copy to another account and another Region in one step.
  if (home !== undefined && home !== region) {
    throw new Error(`The setting backupVaultArn must be in the stack's Region ${home}, not in ${region}`);
  }
  return { vaultArn, retentionDays: readPositiveInteger(given, 'backupRetentionDays', 35) };
}

/** What the names of buckets begin with that CloudFormation chooses for `BackupVaultStack`; roles may write to no others. */
export const headsBucketPrefix = 'authservice-backupvault-';

/** The output `HeadsBucket` of the stack of the second account, which must be in the Region of this one. */
export function readHeadsBucket(given: GivenSettings): string | undefined {
  const bucket = readText(given, 'headsBucket');
  if (bucket === undefined) return undefined;
  if (bucket.startsWith(headsBucketPrefix) && /^[a-z0-9-]{3,63}$/.test(bucket)) return bucket;
  throw new Error(
    `The setting headsBucket must be the output HeadsBucket of the second account's stack, whose name begins with ${headsBucketPrefix}, not ${bucket}`,
  );
}
