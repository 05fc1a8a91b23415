import * as v from 'valibot';
import { type StorageSettings, type Transition, tableOfStream } from '../settings/storage-settings.ts';

const dataSettingsSchema = v.object({
  /** `own`, or the stream ARN of an existing table. */
  table: v.string(),
  replicaRegions: v.array(v.string()),
  /** The versions of the root key, each with the ARN of the primary key that it is copied from, if it is. */
  rootKeys: v.array(v.string()),
});

/** The settings without which a deployment would lose sight of its data, as the output `DataSettings` of its stack says them. */
export type DataSettings = v.InferOutput<typeof dataSettingsSchema>;

/** What a deployment would lose, by the setting. */
export interface Loss {
  readonly setting: keyof DataSettings;
  readonly text: string;
}

/** What the stack records in its output. */
export function dataSettingsOf({
  tableStreamArn,
  replicaRegions,
  rootKeys,
}: Pick<StorageSettings, 'tableStreamArn' | 'replicaRegions' | 'rootKeys'>): DataSettings {
  return {
    table: tableStreamArn ?? 'own',
    replicaRegions: [...replicaRegions],
    rootKeys: rootKeys.map(({ name, primaryArn }) => (primaryArn === undefined ? name : `${name}=${primaryArn}`)),
  };
}

/** Reads the output of a stack; throws if it is none. */
export function parseDataSettings(output: string): DataSettings {
  return v.parse(dataSettingsSchema, JSON.parse(output));
}

/** What the planned settings would take away from a deployed stack. More copies and more root keys are no loss. */
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
    losses.push({ setting: 'rootKeys', text: `All API keys of the root key ${key} would end` });
  }
  return losses;
}

/**
 * The deployments that lead from one table or set of root keys to another. What is new is allowed first, because a
 * permission takes seconds to be known everywhere; what is left stays allowed until the deployment after these. None where
 * both are the same. `ownTableArn` is that of the stack's own table.
 */
export function transitionsOf(deployed: DataSettings, planned: DataSettings, ownTableArn: string): Transition[] {
  const isSameTable = tableOfStream(deployed.table) === tableOfStream(planned.table);
  const isNew = (!isSameTable && planned.table !== 'own') || missing(planned.rootKeys, deployed.rootKeys).length > 0;
  const isLeft = !isSameTable || missing(deployed.rootKeys, planned.rootKeys).length > 0;
  const from: Transition['deployed'] = {
    replicaRegions: deployed.replicaRegions,
    ...(deployed.table === 'own'
      ? { tableArn: ownTableArn }
      : { tableArn: tableOfStream(deployed.table), tableStreamArn: deployed.table }),
    rootKeys: deployed.rootKeys.map(parseRootKey),
  };
  const steps = isNew ? (['widen', 'release'] as const) : isLeft ? (['release'] as const) : [];
  return steps.map((step) => ({ step, deployed: from }));
}

function parseRootKey(text: string): Transition['deployed']['rootKeys'][number] {
  const [name = '', primaryArn] = text.split('=');
  return primaryArn === undefined ? { name } : { name, primaryArn };
}

function missing(deployed: readonly string[], planned: readonly string[]): string[] {
  return deployed.filter((entry) => !planned.includes(entry));
}
