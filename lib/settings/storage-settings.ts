import { type GivenSettings, regionPattern } from './given-settings.ts';
import { readList, readPositiveInteger, readText } from './setting-value.ts';
import type { Stage } from './stages.ts';

/** The Region of the stack, if it is chosen. */
export function readRegion(given: GivenSettings): string | undefined {
  const region = readText(given, 'region');
  if (region === undefined || regionPattern.test(region)) return region;
  throw new Error(`The setting region must be an AWS Region such as eu-central-1, not ${region}`);
}

/** The Regions for replicas of the table and the root keys. */
export function readReplicaRegions(given: GivenSettings): string[] {
  const regions = readList(given, 'replicaRegions');
  if (regions.length === 0) return [];
  const home = readText(given, 'region');
  if (home === undefined) throw new Error('The setting replicaRegions needs region, the Region of the stack itself');
  if (readText(given, 'tableStreamArn') !== undefined) {
    throw new Error(
      'The settings replicaRegions and tableStreamArn exclude each other: a stack replicates only its own table',
    );
  }
  const known = new Set([home, ...regions]);
  if (known.size === regions.length + 1 && regions.every((region) => regionPattern.test(region))) return regions;
  throw new Error(`The setting replicaRegions must list other AWS Regions than ${home}, each once, not ${regions}`);
}

/** The stream of an existing table of the stage, which the stack uses instead of creating one. */
export function readTableStreamArn(given: GivenSettings, stage: Stage): string | undefined {
  const arn = readText(given, 'tableStreamArn');
  if (arn === undefined) return undefined;
  const [, tableArn] = /^(arn:\S+:table\/[^/]+)\/stream\/[\d:T.-]+$/.exec(arn) ?? [];
  if (tableArn === undefined) {
    throw new Error(`The setting tableStreamArn must be the ARN of a table's stream (LatestStreamArn), not ${arn}`);
  }
  requireTable('tableStreamArn', tableArn, given, stage);
  return arn;
}

/** The tables of the stage that the functions may use too. */
export function readGrantedTables(given: GivenSettings, stage: Stage): string[] {
  const arns = readList(given, 'grantedTables');
  for (const arn of arns) requireTable('grantedTables', arn, given, stage);
  return arns;
}

/**
 * Only a table in the stack's Region whose name begins with that of the stage's stack: CloudFormation names the stack's table
 * and its copies so, and a restored one is named after it.
 */
function requireTable(setting: string, arn: string, given: GivenSettings, { name, stackName }: Stage): void {
  const [, region, table] = /^arn:[\w-]+:dynamodb:([\w-]+):\d{12}:table\/([\w.-]+)$/.exec(arn) ?? [];
  if (region === undefined || table === undefined) {
    throw new Error(`The setting ${setting} must have the ARN of a table, not ${arn}`);
  }
  if (!table.startsWith(`${stackName}-`)) {
    throw new Error(
      `The setting ${setting} must be of a table of the stage ${name}, whose name begins with ${stackName}-, not of ${table}`,
    );
  }
  const home = readText(given, 'region') ?? region;
  if (home !== region)
    throw new Error(`The setting ${setting} must be of the stack's Region ${home}, not of ${region}`);
}

/** A version of the root key. */
export interface RootKeyVersion {
  /** The name in API key ids, such as `k1`. */
  readonly name: string;
  /** The ARN of the primary key in another Region, to replicate it. Default: a new key. */
  readonly primaryArn?: string | undefined;
}

/** The root keys, oldest first, to create or to replicate. */
export function readRootKeyVersions(given: GivenSettings, stage: Stage): RootKeyVersion[] {
  const [own, primaries] = [readList(given, 'rootKeyVersions'), readList(given, 'primaryRootKeys')];
  if (primaries.length === 0)
    return requireOrder('rootKeyVersions', own.length === 0 ? ['k1'] : own).map((name) => ({ name }));
  if (own.length > 0) {
    throw new Error(
      'The settings primaryRootKeys and rootKeyVersions exclude each other: the primaries define the versions',
    );
  }
  const home = readText(given, 'region');
  if (home === undefined) throw new Error('The setting primaryRootKeys needs region, the Region of the copies');
  const versions = primaries.map((entry) => readPrimaryRootKey(entry, home, stage));
  requireOrder(
    'primaryRootKeys',
    versions.map(({ name }) => name),
  );
  return versions;
}

/** The root keys that the functions may use too: further versions, or further primaries. */
export function readGrantedRootKeys(given: GivenSettings, stage: Stage): RootKeyVersion[] {
  const entries = readList(given, 'grantedRootKeys');
  if (entries.length === 0) return [];
  const copies = readText(given, 'primaryRootKeys') !== undefined;
  const granted = entries.map((entry) =>
    copies ? readPrimaryRootKey(entry, readText(given, 'region') ?? '', stage) : { name: entry },
  );
  const names = granted.map(({ name }) => name);
  requireOrder('grantedRootKeys', names);
  const used = readRootKeyVersions(given, stage).find(({ name }) => names.includes(name));
  if (used === undefined) return granted;
  throw new Error(`The setting grantedRootKeys must not list ${used.name}, which is in use`);
}

/** Only multi-Region keys, whose ids begin with `mrk-`, can be replicated, and only to another Region. */
function readPrimaryRootKey(entry: string, home: string, { name: stage }: Stage): RootKeyVersion {
  const [, owner, name = '', primaryArn = '', region = home] =
    /^(\w+)\/(\w+)=(arn:[\w-]+:kms:([\w-]+):\d{12}:key\/mrk-\w+)$/.exec(entry) ?? [];
  if (owner === stage && region !== home) return { name, primaryArn };
  throw new Error(
    `The setting primaryRootKeys must be the output RootKeys of the stack of ${stage} in another Region, not ${entry}`,
  );
}

function requireOrder(setting: string, versions: readonly string[]): readonly string[] {
  const numbers = versions.map((version) => (/^k[1-9]\d{0,3}$/.test(version) ? Number(version.slice(1)) : 0));
  if (numbers.every((number, at) => number > (numbers[at - 1] ?? 0))) return versions;
  throw new Error(`The setting ${setting} must list versions, oldest first, such as k1,k2; not ${versions}`);
}

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
    throw new Error('The setting backupRetentionDays goes only with backupVaultArn');
  }
  const [, region] = /^arn:[\w-]+:backup:([\w-]+):\d{12}:backup-vault:[\w-]{2,50}$/.exec(vaultArn) ?? [];
  if (region === undefined) throw new Error(`The setting backupVaultArn must be the ARN of a vault, not ${vaultArn}`);
  const home = readText(given, 'region');
  // A copy to another account and another Region at once is not possible for DynamoDB in one step.
  if (home !== undefined && home !== region) {
    throw new Error(`The setting backupVaultArn must be of the stack's Region ${home}, not of ${region}`);
  }
  return { vaultArn, retentionDays: readPositiveInteger(given, 'backupRetentionDays', 35) };
}
