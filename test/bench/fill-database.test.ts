import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { batchWrite } from '../../bench/batch-write.ts';
import { fillDatabase } from '../../bench/fill-database.ts';
import { createKeys, itemsOf } from '../../bench/populations.ts';
import { startEngine } from '../../bench/start-engine.ts';
import { createTable } from '../../local/create-table.ts';
import { readStack } from '../../local/read-stack.ts';
import { documentClient } from '../support/document-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'auth-service-fill-'));
afterAll(() => rmSync(folder, { recursive: true }));

const population = { users: 40, accesses: 30, applications: 2, keysPerApplication: 2, rolesPerUser: 1 };
const items = [...itemsOf(population, createKeys(population))];
const tableNamed = (tableName: string) => readStack(process.env.TEST_ASSEMBLY ?? '', { tableName, root: '' }).table;

test('each table of a filled database, by import or by BatchWriteItem, holds its items and no others', async () => {
  const file = join(folder, 'filled.db');
  const contents = [
    { table: tableNamed('filled-one'), items },
    { table: tableNamed('filled-two'), items: items.slice(0, 3) },
  ];
  const times = await fillDatabase(contents, { file, folder: join(folder, 'export'), progress: () => undefined });
  expect(times.items).toBe(items.length + 3);
  const { endpoint, stop } = await startEngine(file);
  await createTable(tableNamed('written'), endpoint);
  expect(await batchWrite({ endpoint, tableName: 'written' }, items)).toBeGreaterThan(0);
  expect(await scan(endpoint, 'filled-one')).toEqual(sorted(items));
  expect(await scan(endpoint, 'filled-two')).toEqual(sorted(items.slice(0, 3)));
  expect(await scan(endpoint, 'written')).toEqual(sorted(items));
  const { Items: listed = [] } = await documentClient(endpoint).send(
    new ScanCommand({ TableName: 'filled-one', IndexName: 'gsi1' }),
  );
  expect(listed).toHaveLength(40 + 30 + 2);
  await stop();
});

async function scan(endpoint: string, TableName: string) {
  const { Items = [] } = await documentClient(endpoint).send(new ScanCommand({ TableName }));
  return sorted(Items);
}

function sorted(all: readonly Record<string, unknown>[]) {
  return all.toSorted((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));
}
