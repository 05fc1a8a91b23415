import type { Node } from 'constructs';
import { readList, readText } from './context-value.ts';
import type { RootKeyVersion } from './root-key.ts';

const regionPattern = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/** The Region of the stack, if the context names it. */
export function readRegion(node: Node): string | undefined {
  const region = readText(node, 'region');
  if (region === undefined || regionPattern.test(region)) return region;
  throw new Error(`The context value region must be an AWS Region such as eu-central-1, not ${region}`);
}

/** The Regions for replicas of the table and the root keys. */
export function readReplicaRegions(node: Node): string[] {
  const regions = readList(node, 'replicaRegions');
  if (regions.length === 0) return [];
  const home = readText(node, 'region');
  if (home === undefined)
    throw new Error('The context value replicaRegions needs region, the Region of the stack itself');
  if (readText(node, 'tableStreamArn') !== undefined) {
    throw new Error(
      'The context values replicaRegions and tableStreamArn exclude each other: a stack replicates only its own table',
    );
  }
  const known = new Set([home, ...regions]);
  if (known.size === regions.length + 1 && regions.every((region) => regionPattern.test(region))) return regions;
  throw new Error(
    `The context value replicaRegions must list other AWS Regions than ${home}, each once, not ${regions}`,
  );
}

/** The stream of an existing table, which the stack uses instead of creating one. */
export function readTableStreamArn(node: Node): string | undefined {
  const arn = readText(node, 'tableStreamArn');
  if (arn === undefined) return undefined;
  const [, region] = /^arn:[\w-]+:dynamodb:([\w-]+):\d{12}:table\/[\w.-]+\/stream\/[\d:T.-]+$/.exec(arn) ?? [];
  if (region === undefined) {
    throw new Error(
      `The context value tableStreamArn must be the ARN of a table's stream (LatestStreamArn), not ${arn}`,
    );
  }
  const home = readText(node, 'region') ?? region;
  if (home === region) return arn;
  throw new Error(`The context value tableStreamArn must be of the stack's Region ${home}, not of ${region}`);
}

/** The root keys, oldest first, to create or to replicate. */
export function readRootKeyVersions(node: Node): RootKeyVersion[] {
  const [own, primaries] = [readList(node, 'rootKeyVersions'), readList(node, 'primaryRootKeys')];
  if (primaries.length === 0)
    return requireOrder('rootKeyVersions', own.length === 0 ? ['k1'] : own).map((name) => ({ name }));
  if (own.length > 0) {
    throw new Error(
      'The context values primaryRootKeys and rootKeyVersions exclude each other: the primaries define the versions',
    );
  }
  const home = readText(node, 'region');
  if (home === undefined) throw new Error('The context value primaryRootKeys needs region, the Region of the copies');
  const versions = primaries.map((entry) => readPrimaryRootKey(entry, home));
  requireOrder(
    'primaryRootKeys',
    versions.map(({ name }) => name),
  );
  return versions;
}

/** Only multi-Region keys, whose ids begin with `mrk-`, can be replicated, and only to another Region. */
function readPrimaryRootKey(entry: string, home: string): RootKeyVersion {
  const [, name = '', primaryArn = '', region = home] =
    /^(\w+)=(arn:[\w-]+:kms:([\w-]+):\d{12}:key\/mrk-\w+)$/.exec(entry) ?? [];
  if (region !== home) return { name, primaryArn };
  throw new Error(
    `The context value primaryRootKeys must be the output RootKeys of another Region's stack, not ${entry}`,
  );
}

function requireOrder(contextName: string, versions: readonly string[]): readonly string[] {
  const numbers = versions.map((version) => (/^k[1-9]\d{0,3}$/.test(version) ? Number(version.slice(1)) : 0));
  if (numbers.every((number, at) => number > (numbers[at - 1] ?? 0))) return versions;
  throw new Error(`The context value ${contextName} must list versions, oldest first, such as k1,k2; not ${versions}`);
}
