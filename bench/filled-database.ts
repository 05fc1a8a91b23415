import './bench-environment.ts';
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createTable } from '../local/create-table.ts';
import { type DynamodbProcess, emulator, startDynamodb } from '../local/dynamodb-process.ts';
import { readStack } from '../local/read-stack.ts';
import type { TableModel } from '../local/read-table.ts';
import { synthesize } from '../local/synthesize.ts';
import type { Item } from './connected-items.ts';
import { assetsIn } from './function-assets.ts';
import type { BenchContext } from './measurement.ts';
import { itemsOf, type Population } from './populations.ts';

/** The stack's functions, and a database with filled tables. */
export interface FilledDatabase {
  /** The file of a function's asset. */
  readonly fileOf: (name: string) => string;
  readonly dynamodb: string;
  readonly items: number;
  readonly seconds: number;
  close(): Promise<void>;
}

export interface FillContext extends BenchContext {
  /** The folder of the synthesized stack. Default: synthesizes it. */
  readonly assembly?: string | undefined;
}

/**
 * Fills a table for each population, with its name. The items are written as an export of DynamoDB (gzipped lines of DynamoDB
 * JSON), which the emulator imports in bulk, as DynamoDB imports one from S3; BatchWriteItem is five times as slow.
 */
export async function fillDatabase(
  populations: Readonly<Record<string, Population>>,
  { directory, progress, assembly: given }: FillContext,
): Promise<FilledDatabase> {
  const assembly = given ?? (await synthesize({ folder: join(directory, 'cdk.out') }));
  progress('Filling the tables');
  const startedAt = Date.now();
  const exported = join(directory, 'export');
  let items = 0;
  for (const [name, population] of Object.entries(populations)) {
    items += await writeExport(itemsOf(population), join(exported, name, 'data'));
  }
  const tables = Object.keys(populations).map((tableName) => tableOf(assembly, tableName));
  await writeFile(join(exported, 'schema.json'), JSON.stringify(await describeTables(tables)));
  const file = join(directory, 'bench.db');
  await runImport(['--source', exported, '--schema', join(exported, 'schema.json'), '--output', file]);
  await rm(exported, { recursive: true });
  const dynamodb = await startEngine(file);
  return {
    fileOf: assetsIn(assembly).fileOf,
    dynamodb: dynamodb.endpoint,
    items,
    seconds: (Date.now() - startedAt) / 1000,
    close: dynamodb.stop,
  };
}

/** The stack's table under another name. */
function tableOf(assembly: string, tableName: string): TableModel {
  return readStack(assembly, { tableName }).table;
}

async function writeExport(items: Iterable<Item>, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  function* lines() {
    for (const item of items) {
      count++;
      yield `{"Item":${JSON.stringify(marshall(item))}}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(join(folder, 'items.json.gz')));
  return count;
}

/** As DynamoDB describes them after their creation. */
async function describeTables(tables: readonly TableModel[]): Promise<object[]> {
  const { endpoint, stop } = await startEngine();
  const client = new DynamoDBClient({ endpoint });
  try {
    const described = [];
    for (const table of tables) {
      await createTable(table, endpoint);
      const { Table } = await client.send(new DescribeTableCommand({ TableName: table.tableName }));
      described.push({ Table });
    }
    return described;
  } finally {
    client.destroy();
    await stop();
  }
}

async function runImport(args: readonly string[]): Promise<void> {
  const child = spawn(emulator, ['import', ...args], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-2000);
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`The emulator could not import: ${errors}`);
}

/** Starts the emulator with the content of a file, or empty and in memory; the bench fails if it does not keep running. */
function startEngine(file?: string): Promise<DynamodbProcess> {
  const onGiveUp = (error: Error) => {
    throw error;
  };
  return startDynamodb({ file, log: console.error, onGiveUp });
}
