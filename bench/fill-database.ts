import './environment.ts';
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '#shared/table/client.ts';
import { createTable } from '../local/create-table.ts';
import { emulator } from '../local/dynamodb-process.ts';
import type { TableModel } from '../local/read-table.ts';
import { startEngine } from './start-engine.ts';

/** A table to be, and what is to be in it. */
export interface TableContents {
  readonly table: TableModel;
  readonly items: Iterable<Item>;
}

/** How long it took, in seconds. */
export interface FillTimes {
  readonly items: number;
  readonly exportSeconds: number;
  readonly importSeconds: number;
}

const linesPerChunk = 1000;

/**
 * Fills a new database of the local emulator: writes the items as an export of DynamoDB (gzipped lines of DynamoDB
 * JSON), which the emulator imports in bulk, as DynamoDB imports one from S3. `batchWrite` is the slow way.
 */
export async function fillDatabase(
  contents: readonly TableContents[],
  {
    file,
    folder,
    progress,
  }: { readonly file: string; readonly folder: string; readonly progress: (line: string) => void },
): Promise<FillTimes> {
  const startedAt = Date.now();
  let items = 0;
  for (const { table, items: all } of contents) {
    const written = await writeExport(all, join(folder, table.tableName, 'data'));
    items += written;
    progress(`  ${table.tableName}: ${written} items exported after ${secondsSince(startedAt)} s`);
  }
  const exportedAt = Date.now();
  const schema = join(folder, 'schema.json');
  await writeFile(schema, JSON.stringify(await describeTables(contents.map(({ table }) => table))));
  await runImport(['--source', folder, '--schema', schema, '--output', file]);
  progress(`  imported after ${secondsSince(startedAt)} s`);
  return { items, exportSeconds: (exportedAt - startedAt) / 1000, importSeconds: secondsSince(exportedAt) };
}

async function writeExport(items: Iterable<Item>, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  function* chunks() {
    let lines: string[] = [];
    for (const item of items) {
      count++;
      lines.push(`{"Item":${JSON.stringify(marshall(item))}}\n`);
      if (lines.length < linesPerChunk) continue;
      yield lines.join('');
      lines = [];
    }
    yield lines.join('');
  }
  await pipeline(Readable.from(chunks()), createGzip({ level: 1 }), createWriteStream(join(folder, 'items.json.gz')));
  return count;
}

/** As DynamoDB describes them once the stack's own way has made them. */
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
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2000);
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`The emulator could not import: ${said}`);
}

function secondsSince(moment: number): number {
  return Math.round((Date.now() - moment) / 100) / 10;
}
