import './environment.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readStack } from '../local/read-stack.ts';
import type { TableModel } from '../local/read-table.ts';
import { synthesize } from '../local/synthesize.ts';
import type { BenchKey } from './bench-keys.ts';
import { type FillTimes, fillDatabase } from './fill-database.ts';
import type { BenchContext } from './measurement.ts';
import { createKeys, itemsOf, type Population } from './populations.ts';
import { startEngine } from './start-engine.ts';

/** The stack's bundles and a database with filled tables, ready to be asked. */
export interface Stage {
  /** The folder of the bundles, each in a folder with its function's name. */
  readonly bundles: string;
  readonly dynamodb: string;
  /** The table of the stack under another name. */
  tableNamed(tableName: string): TableModel;
  /** The first key of the first application of each population. */
  readonly keys: ReadonlyMap<string, BenchKey>;
  readonly fillTimes: FillTimes;
  close(): Promise<void>;
}

export interface StageContext extends BenchContext {
  /** The folder of the synthesized stack. Default: it is synthesized. */
  readonly assembly?: string | undefined;
}

/** Synthesizes the stack and fills a table for each population, by its name, in one database. */
export async function openStage(
  populations: Readonly<Record<string, Population>>,
  { directory, progress, assembly: given }: StageContext,
): Promise<Stage> {
  if (given === undefined) progress('Synthesizing the stack');
  const assembly = given ?? (await synthesize({ folder: join(directory, 'cdk.out') }));
  const tableNamed = (tableName: string) => readStack(assembly, { tableName, root: '' }).table;
  const keys = new Map(Object.entries(populations).map(([name, population]) => [name, createKeys(population)]));
  const contents = Object.entries(populations).map(([name, population]) => ({
    // Nobody reads its stream.
    table: { ...tableNamed(name), streamViewType: undefined },
    items: itemsOf(population, keys.get(name) ?? []),
  }));
  const file = join(directory, 'bench.db');
  const exportFolder = join(directory, 'export');
  const fillTimes = await fillDatabase(contents, { file, folder: exportFolder, progress });
  await rm(exportFolder, { recursive: true });
  const dynamodb = await startEngine(file);
  return {
    bundles: join(assembly, 'bundles'),
    dynamodb: dynamodb.endpoint,
    tableNamed,
    keys: firstOf(keys),
    fillTimes,
    close: dynamodb.stop,
  };
}

function firstOf(keys: ReadonlyMap<string, readonly BenchKey[]>): ReadonlyMap<string, BenchKey> {
  return new Map([...keys].flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first] as const])));
}
