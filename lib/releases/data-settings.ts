import * as v from 'valibot';
import { deploymentContext } from '../settings/context-names.ts';
import type { LosingSetting, StorageSettings, Transition } from '../settings/storage-settings.ts';
import { tableOfStream } from '../settings/table-arn.ts';

const dataSettingsSchema = v.object({
  /** `own`, or the stream ARN of an existing table. */
  table: v.string(),
  replicaRegions: v.array(v.string()),
  /** The versions of the root key, each with the ARN of its primary key if it is a copy. */
  rootKeys: v.array(v.string()),
  /** Whether the roots of API keys serve every purpose. Absent in what was recorded before there were others: they did. */
  sharedRoots: v.exactOptional(v.boolean()),
});

/** The settings that the data of a deployment depends on, as recorded in the stack's output `DataSettings`. */
export type DataSettings = v.InferOutput<typeof dataSettingsSchema>;

/** Something that a deployment would lose, with the setting that causes it, or what it is. */
export interface Loss {
  readonly setting: LosingSetting;
  readonly text: string;
}

/** What a stack has only with some settings, and never again once it is left out; by the output that only such a stack has. */
export const lossesByOutput: Readonly<Record<string, Loss>> = {
  OidcClientId: {
    setting: 'oidcIssuer',
    text: 'The operators could no longer log in: the stack would leave its user pool, and a later one would be empty',
  },
  LoginIssuer: {
    setting: 'login',
    text: 'People could no longer log in: the stack would leave their user pool, and a later one would be empty',
  },
  HeadsKeyArn: {
    setting: 'headsBucket',
    text: 'The heads would no longer be signed: the stack would leave the key, and a later one would be another key',
  },
  EventKeyArn: {
    setting: 'webhooks',
    text: 'Security events would no longer be signed: the stack would leave the key, and a later one would be another key',
  },
};

/** The data settings that the stack records in its output. */
export function dataSettingsOf({
  tableStreamArn,
  replicaRegions,
  rootKeys,
  sharedRoots,
}: Pick<StorageSettings, 'tableStreamArn' | 'replicaRegions' | 'rootKeys' | 'sharedRoots'>): DataSettings {
  return {
    table: tableStreamArn ?? 'own',
    replicaRegions: [...replicaRegions],
    rootKeys: rootKeys.map(({ name, primaryArn }) => (primaryArn === undefined ? name : `${name}=${primaryArn}`)),
    sharedRoots: sharedRoots === 'on',
  };
}

function sharesRoots({ sharedRoots = true }: DataSettings): boolean {
  return sharedRoots;
}

/** Reads the output of a stack; throws if it is invalid. */
export function parseDataSettings(output: string): DataSettings {
  return v.parse(dataSettingsSchema, JSON.parse(output));
}

/** A table of this name is left by an earlier stack, and the new stack would not use it. */
export function newTable(left: string): Loss {
  return {
    setting: 'table',
    text: `An earlier stack left the table ${left}, and this one would have a new, empty table. npm run deploy -- --adopt uses an earlier one: docs/operate/deploy.md#deploy-over-retained-data`,
  };
}

/** The stack would create the root key of this version, although an earlier one may have been used. */
export function newRootKey(version: string): Loss {
  return {
    setting: 'rootKeys',
    text: `The root key ${version} would be a new one, under which nothing earlier is valid: npm run deploy -- --adopt takes the earlier one`,
  };
}

/** Names each loss and how to confirm it; empty without any. */
export function describeLosses(losses: readonly Loss[]): string {
  if (losses.length === 0) return '';
  const settings = [...new Set(losses.map(({ setting }) => setting))].join();
  return `${losses.map(({ text }) => `${text}.`).join(' ')} Was a setting forgotten? If this is intended, repeat the deployment with -c ${deploymentContext.confirmChange}=${settings}`;
}

const unsharedRoots: Loss = {
  setting: 'rootKeys',
  text: 'Webhook secrets and tokens of connections that were derived from the roots of API keys would stop working; shared in the setting rootKeys keeps them: docs/operate/keys.md#one-root-for-everything',
};

/** What a deployed stack would lose with the planned settings. Additional copies and root keys are not a loss. */
export function lossesOf(deployed: DataSettings, planned: DataSettings): Loss[] {
  const losses: Loss[] = [];
  const [table, plannedTable] = [tableOfStream(deployed.table), tableOfStream(planned.table)];
  if (table !== plannedTable) {
    losses.push({ setting: 'table', text: `The table would change from ${table} to ${plannedTable}` });
  }
  for (const region of missing(deployed.replicaRegions, planned.replicaRegions)) {
    losses.push({ setting: 'replicaRegions', text: `The copy of the table in ${region} would be deleted` });
  }
  for (const key of missing(deployed.rootKeys, planned.rootKeys)) {
    losses.push({ setting: 'rootKeys', text: `Whatever was derived from the root key ${key} would stop working` });
  }
  if (sharesRoots(deployed) && !sharesRoots(planned)) losses.push(unsharedRoots);
  return losses;
}

/** The user pool and the signing keys that a deployed stack would lose, by the names of its outputs and of the planned ones. */
export function lossesOfOutputs(deployed: readonly string[], planned: readonly string[]): Loss[] {
  return missing(deployed, planned).flatMap((name) => lossesByOutput[name] ?? []);
}

/**
 * The deployments that switch from one table or set of root keys to another; none if both are the same. The new ones are
 * allowed first, because a permission takes seconds to propagate; the old ones stay allowed until the deployment after these.
 * `ownTableArn` is the ARN of the stack's own table.
 */
export function transitionsOf(deployed: DataSettings, planned: DataSettings, ownTableArn: string): Transition[] {
  const isSameTable = tableOfStream(deployed.table) === tableOfStream(planned.table);
  const isShared = !sharesRoots(deployed) && sharesRoots(planned);
  const isNew =
    (!isSameTable && planned.table !== 'own') || isShared || missing(planned.rootKeys, deployed.rootKeys).length > 0;
  const isUnshared = sharesRoots(deployed) && !sharesRoots(planned);
  const isDropped = !isSameTable || isUnshared || missing(deployed.rootKeys, planned.rootKeys).length > 0;
  const from: Transition['deployed'] = {
    replicaRegions: deployed.replicaRegions,
    ...(deployed.table === 'own'
      ? { tableArn: ownTableArn }
      : { tableArn: tableOfStream(deployed.table), tableStreamArn: deployed.table }),
    rootKeys: deployed.rootKeys.map(parseRootKey),
    sharedRoots: sharesRoots(deployed),
  };
  const steps = isNew ? (['widen', 'release'] as const) : isDropped ? (['release'] as const) : [];
  return steps.map((step) => ({ step, deployed: from }));
}

function parseRootKey(text: string): Transition['deployed']['rootKeys'][number] {
  const [name = '', primaryArn] = text.split('=');
  return primaryArn === undefined ? { name } : { name, primaryArn };
}

function missing(deployed: readonly string[], planned: readonly string[]): string[] {
  return deployed.filter((entry) => !planned.includes(entry));
}
