import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import type { Item } from '../../bench/connected-items.ts';
import { fillDatabase } from '../../bench/filled-database.ts';
import { itemsOf } from '../../bench/populations.ts';
import { documentClient } from '../support/document-client.ts';

const directory = mkdtempSync(join(tmpdir(), 'auth-service-fill-'));
afterAll(() => rmSync(directory, { recursive: true }));

const one = { users: 40, accesses: 30, applications: 2, keysPerApplication: 2, rolesPerUser: 1 };
const two = { ...one, users: 3, accesses: 0 };

test('each table of a filled database, and its index, holds its own items and no others', async () => {
  const populations = { 'filled-one': one, 'filled-two': two };
  const context = { directory, progress: () => undefined, assembly: process.env.TEST_ASSEMBLY };
  const { dynamodb, items, close } = await fillDatabase(populations, context);
  expect(items).toBe([...itemsOf(one), ...itemsOf(two)].length);
  expect(await scan(dynamodb, 'filled-one')).toEqual(sorted([...itemsOf(one)]));
  expect(await scan(dynamodb, 'filled-two')).toEqual(sorted([...itemsOf(two)]));
  const { Items: listed = [] } = await documentClient(dynamodb).send(
    new ScanCommand({ TableName: 'filled-one', IndexName: 'gsi1' }),
  );
  expect(listed).toHaveLength(30 + 2);
  await close();
});

async function scan(endpoint: string, TableName: string) {
  const { Items = [] } = await documentClient(endpoint).send(new ScanCommand({ TableName }));
  return sorted(Items);
}

function sorted(all: readonly Item[]) {
  return all.toSorted((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));
}
