import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listSettings } from '../../lib/options/list-settings.ts';
import { rootPurposes } from '../../lib/options/option-roots.ts';
import { createTable } from '../../local/create-table.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type LocalKeyService, serveKeyService } from '../../local/key-service.ts';
import { openAssembly, readStack } from '../../local/read-stack.ts';
import { functionsOf, rootKeyOf, synthesizeAssembly, templateIn } from '../stack/synthesized-stack.ts';
import { guardSources } from '../support/guard-sources.ts';
import { runRoot } from '../support/run-root.ts';
import { settingsOfParts } from '../support/synthesis.ts';

/** What an attacker could do who runs code in a function, by the policies of the stack alone, with every setting on. */
const assembly = await synthesizeAssembly({
  stage: 'prod',
  ...Object.fromEntries(Object.entries(listSettings).map(([name, values]) => [name, values.join(',')])),
  ...settingsOfParts,
  headsBucket: 'authservice-backupvault-heads',
});
const template = templateIn(assembly);
const tableName = 'compromised';
const versions = rootPurposes.map((purpose) => `${purpose}1`);

let dynamodb: DynamodbProcess;
let keyService: LocalKeyService;
let guarded: ReturnType<typeof guardSources>;
let table: DynamoDBClient;
let kms: KMSClient;
beforeAll(async () => {
  [dynamodb, keyService] = await Promise.all([
    startDynamodb({ log: () => undefined, onGiveUp: () => undefined }),
    serveKeyService({ root: runRoot }),
  ]);
  await createTable(readStack(assembly, { tableName }).table, dynamodb.endpoint);
  guarded = guardSources(assembly, tableName);
  table = new DynamoDBClient({ endpoint: dynamodb.endpoint, maxAttempts: 1 });
  kms = new KMSClient({ endpoint: keyService.url, maxAttempts: 1 });
});
afterAll(async () => {
  await guarded.stop();
  table.destroy();
  kms.destroy();
  await Promise.all([dynamodb.stop(), keyService.close()]);
});

/** Asks KMS for a root, as code in this function. */
function computeRoot(name: string, version: string) {
  const KeyId = openAssembly(assembly, { tableName }).arnOf(rootKeyOf(template, version)[0]);
  const Message = Buffer.from(`auth-service/root/${version}`);
  return guarded.run(name, () => kms.send(new GenerateMacCommand({ KeyId, MacAlgorithm: 'HMAC_SHA_256', Message })));
}

const refusedMac = /not authorized to perform: kms:GenerateMac/;
const application = { pk: { S: 'APP#billing' }, sk: { S: 'APP' } };
const TableName = tableName;

describe('code in deliver-webhook, which talks to addresses that others choose', () => {
  test.each(['k1', 'c1'])(
    'cannot compute the root %s, and so no API key and no token of a connection',
    async (version) => {
      await expect(computeRoot('deliver-webhook', version)).rejects.toThrow(refusedMac);
    },
  );

  test.each(['h1', 'w1'])('can compute the root %s', async (version) => {
    expect((await computeRoot('deliver-webhook', version)).Mac).toHaveLength(32);
  });

  test.each([
    ['put an application in place of another', new PutItemCommand({ TableName, Item: application })],
    [
      'put one with the attributes of a change alone',
      new PutItemCommand({ TableName, Item: { ...application, id: { S: '1' }, integrity: { S: '' } } }),
    ],
    [
      'turn off a webhook in its application',
      new UpdateItemCommand({
        TableName,
        Key: application,
        UpdateExpression: 'SET webhooks = :none',
        ExpressionAttributeValues: { ':none': { M: {} } },
      }),
    ],
    ['delete an application', new DeleteItemCommand({ TableName, Key: application })],
    [
      'put one beside what it may write',
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: { pk: { S: 'WEBHOOKS' }, sk: { S: 'billing#backend' } } } },
          { Put: { TableName, Item: application } },
        ],
      }),
    ],
    ['put a user', new PutItemCommand({ TableName, Item: { pk: { S: 'USER#ada' }, sk: { S: 'USER' } } })],
    ['add to a feed', new PutItemCommand({ TableName, Item: { pk: { S: 'FEED#billing' }, sk: { S: 'PENDING#1' } } })],
  ])('cannot %s', async (_, command) => {
    const attempt = guarded.run('deliver-webhook', () => table.send(command as PutItemCommand));
    await expect(attempt).rejects.toThrow(/not authorized to perform: dynamodb:/);
  });

  test('can write how far its deliveries are', async () => {
    const Item = { pk: { S: 'WEBHOOKS' }, sk: { S: 'billing#backend' } };
    await guarded.run('deliver-webhook', () => table.send(new PutItemCommand({ TableName, Item })));
  });
});

const rootsIn = (name: string) =>
  JSON.stringify(Object(functionsOf(template).get(name)?.Properties.Environment).Variables?.ROOT_KEYS ?? '');

test.each([...functionsOf(template).keys()])('code in %s computes only the roots of its environment', async (name) => {
  const computed = await Promise.all(
    versions.map((version) =>
      computeRoot(name, version).then(
        () => version,
        (error: Error) => {
          expect(error.message).toMatch(refusedMac);
          return '';
        },
      ),
    ),
  );
  const named = versions.map((version) => (rootsIn(name).includes(`${version}=`) ? version : ''));
  expect(computed).toEqual(named);
});
