import * as v from 'valibot';
import type { Settings } from '../settings/settings.ts';

const dataSettingsSchema = v.object({
  /** `own`, or the ARN of an existing table. */
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

export function dataSettingsOf({
  tableStreamArn,
  replicaRegions,
  rootKeyVersions,
}: Pick<Settings, 'tableStreamArn' | 'replicaRegions' | 'rootKeyVersions'>): DataSettings {
  return {
    table: tableStreamArn?.replace(/\/stream\/.*/, '') ?? 'own',
    replicaRegions: [...replicaRegions],
    rootKeys: rootKeyVersions.map(({ name, primaryArn }) =>
      primaryArn === undefined ? name : `${name}=${primaryArn}`,
    ),
  };
}

/** Reads the output of a stack; throws if it is none. */
export function parseDataSettings(output: string): DataSettings {
  return v.parse(dataSettingsSchema, JSON.parse(output));
}

/** What the planned settings would take away from a deployed stack. More copies and more root keys are no loss. */
export function lossesOf(deployed: DataSettings, planned: DataSettings): Loss[] {
  const losses: Loss[] = [];
  if (deployed.table !== planned.table) {
    losses.push({ setting: 'table', text: `The table would change from ${deployed.table} to ${planned.table}` });
  }
  for (const region of missing(deployed.replicaRegions, planned.replicaRegions)) {
    losses.push({ setting: 'replicaRegions', text: `The copy of the table in ${region} would be deleted` });
  }
  for (const key of missing(deployed.rootKeys, planned.rootKeys)) {
    losses.push({ setting: 'rootKeys', text: `All API keys of the root key ${key} would end` });
  }
  return losses;
}

function missing(deployed: readonly string[], planned: readonly string[]): string[] {
  return deployed.filter((entry) => !planned.includes(entry));
}
