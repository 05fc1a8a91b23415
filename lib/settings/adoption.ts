import type { Node } from 'constructs';
import { readAccount } from './account-settings.ts';
import { deploymentContext } from './context-names.ts';
import type { GivenSettings } from './given-settings.ts';
import { readText } from './setting-value.ts';
import type { Stage } from './stages.ts';
import { readRootKeys } from './storage-settings.ts';
import { requireTable } from './table-arn.ts';

/** The metadata of a resource to import: the property that identifies it, with its value. */
export const adoptionMetadata = 'auth-service:adopt';

/** Existing resources that the stack adopts: those that a deleted stack retained. */
export interface Adoption {
  /** The name of the table. Absent: none. */
  readonly tableName: string | undefined;
  /** The id of the KMS key, by version. */
  readonly rootKeys: Readonly<Record<string, string>>;
  /** The id of the operators' user pool. Absent: none. */
  readonly userPoolId: string | undefined;
}

const expected =
  "--adopt takes the ARN of the stage's table, its output RootKeys, and the ARN of its user pool, of the same account and Region";

/** What the stack adopts; undefined in every deployment that adopts nothing. Throws on anything that it cannot adopt. */
export function readAdoption(node: Node, given: GivenSettings, stage: Stage): Adoption | undefined {
  const text: unknown = node.tryGetContext(deploymentContext.adopt);
  if (text === undefined) return undefined;
  const found = String(text)
    .split(',')
    .map((entry) => readEntry(entry.trim(), stage));
  const only = (kind: Found['kind']) => requireOne(found.filter((one) => one.kind === kind))?.id;
  const keys = found.filter(({ kind }) => kind === 'root key');
  const rootKeys = Object.fromEntries(keys.map(({ version = '', id }) => [version, id]));
  if (Object.keys(rootKeys).length < keys.length) throw new Error(`${expected}: one key for each version`);
  const adoption = { tableName: only('table'), rootKeys, userPoolId: only('user pool') };
  requireSamePlace(found, readAccount(node, stage).account, given);
  requireUse(adoption, given, stage);
  return adoption;
}

interface Found {
  readonly kind: 'table' | 'root key' | 'user pool';
  readonly id: string;
  readonly arn: string;
  /** Of a root key. */
  readonly version?: string;
}

function readEntry(entry: string, { name: stage, stackName }: Stage): Found {
  const [, owner, version = '', arn = entry] = /^(\w+)\/(\w+)=(.*)$/.exec(entry) ?? [];
  const [, service, resource = ''] = /^arn:[\w-]+:([\w-]+):[\w-]+:\d{12}:(.+)$/.exec(arn) ?? [];
  const [, id = ''] = /^(?:table|key|userpool)\/([\w.-]+)$/.exec(resource) ?? [];
  if (service === 'kms' && resource.startsWith('alias/')) {
    throw new Error(
      `${expected}: a root key by its own ARN, not by an alias, which could point to another key: ${arn}`,
    );
  }
  if (service === 'dynamodb' && id !== '' && owner === undefined) {
    requireTable(arn, '--adopt', { name: stage, stackName });
    return { kind: 'table', id, arn };
  }
  if (service === 'cognito-idp' && id !== '' && owner === undefined) return { kind: 'user pool', id, arn };
  if (service === 'kms' && owner === undefined) {
    throw new Error(`${expected}: a root key with its stage and version, such as ${stage}/k1=${arn}`);
  }
  if (service === 'kms' && id.startsWith('mrk-') && owner === stage) return { kind: 'root key', id, arn, version };
  throw new Error(`${expected}, not ${entry}`);
}

function requireOne(found: readonly Found[]): Found | undefined {
  if (found.length < 2) return found[0];
  throw new Error(`${expected}: only one ${found[0]?.kind}, not ${found.map(({ arn }) => arn).join(' and ')}`);
}

/**
 * CloudFormation imports only from the stack's own account and Region: those of the settings, or of the credentials, which
 * synthesis knows if the CDK's CLI runs it.
 */
function requireSamePlace(found: readonly Found[], account: string | undefined, given: GivenSettings): void {
  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
  const [first = []] = found.map(({ arn }) => placeOf(arn));
  const home = [
    readText(given, 'region') ?? CDK_DEFAULT_REGION ?? first[0],
    account ?? CDK_DEFAULT_ACCOUNT ?? first[1],
  ];
  const elsewhere = found.find(({ arn }) => placeOf(arn).join() !== home.join());
  if (elsewhere !== undefined) throw new Error(`${expected}: ${elsewhere.arn} is not in ${home.join(' of ')}`);
}

/** The Region and the account of an ARN. */
function placeOf(arn: string): string[] {
  return arn.split(':').slice(3, 5);
}

/** Throws if the settings leave no place for what is adopted, because the stack would ignore it. */
function requireUse({ tableName, rootKeys, userPoolId }: Adoption, given: GivenSettings, stage: Stage): void {
  if (tableName !== undefined && readText(given, 'tableStreamArn') !== undefined) {
    throw new Error('--adopt takes a table only without the setting tableStreamArn, which already names one');
  }
  if (userPoolId !== undefined && readText(given, 'oidcIssuer') !== undefined) {
    throw new Error('--adopt takes a user pool only without the setting oidcIssuer, which replaces it');
  }
  const versions = readRootKeys(given, stage).map(({ name }) => name);
  const unused = Object.keys(rootKeys).find((version) => !versions.includes(version));
  if (unused !== undefined) throw new Error(`--adopt has ${unused}, which the setting rootKeys does not: ${versions}`);
}
