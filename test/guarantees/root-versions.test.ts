import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { createManageClient } from '../../local/sigv4-client.ts';
import { synthesizeAssembly } from '../stack/synthesized-stack.ts';
import { type Key, sendSigned } from '../support/send-request.ts';

const root = Buffer.alloc(32, 7).toString('base64');
let dynamodb: DynamodbProcess;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
});
afterAll(() => dynamodb.stop());

test('with a second root version, new keys derive from it and keys of the first still work', async () => {
  const first = await deploy('k1');
  const manage = createManageClient(first.manageUrl, first.accessKey);
  await manage('POST', '/applications', { appId: 'crm', name: 'CRM' });
  await manage('PUT', '/users/ada', {});
  const oldKey = await issueKey(first);
  await first.close();

  const second = await deploy('k1,k2');
  const newKey = await issueKey(second);
  expect([oldKey.keyId, newKey.keyId]).toEqual([
    expect.stringMatching(/^svk_k1_crm_/),
    expect.stringMatching(/^svk_k2_crm_/),
  ]);
  for (const key of [oldKey, newKey]) expect(await statusOf(second, key)).toBe(200);
  await second.close();

  const third = await deploy('k2');
  expect([await statusOf(third, oldKey), await statusOf(third, newKey)]).toEqual([401, 200]);
  await third.close();
});

test('changes chained under the first root version are verified under the second while the first exists', async () => {
  const first = await deploy('k1', 'chains');
  const manage = createManageClient(first.manageUrl, first.accessKey);
  await manage('POST', '/applications', { appId: 'crm', name: 'CRM' });
  await first.close();

  const second = await deploy('k1,k2', 'chains');
  await createManageClient(second.manageUrl, second.accessKey)('PATCH', '/applications/crm', { name: 'Renamed' });
  const changes = await historyOf(second);
  expect(changes.map(({ integrity }) => [integrity.root, integrity.previous])).toEqual([
    ['k2', changes[1]?.integrity.mac],
    ['k1', null],
  ]);
  expect(await verdictsOf(second, changes)).toEqual(['unchanged', 'unchanged']);
  const asOfTheOther = changes.map(({ integrity, ...change }) => ({
    ...change,
    integrity: { ...integrity, root: 'k2' },
  }));
  expect(await verdictsOf(second, asOfTheOther)).toEqual(['unchanged', 'changed']);
  await second.close();

  const third = await deploy('k2', 'chains');
  expect(await verdictsOf(third, changes)).toEqual(['unchanged', 'unknown-root']);
  await third.close();
});

interface Exported {
  readonly integrity: { readonly root: string; readonly previous: string | null; readonly mac: string };
}

async function historyOf({ manageUrl, accessKey }: RunningStack): Promise<readonly Exported[]> {
  const { body } = await createManageClient(manageUrl, accessKey)('GET', '/applications/crm/changes');
  return (body as { items: readonly Exported[] }).items;
}

async function verdictsOf({ manageUrl, accessKey }: RunningStack, changes: readonly object[]): Promise<string[]> {
  const { body } = await createManageClient(manageUrl, accessKey)('POST', '/changes/verify', { changes });
  return (body as { items: readonly { verdict: string }[] }).items.map(({ verdict }) => verdict);
}

/** Runs the stack with production settings, on the same table each time. */
async function deploy(rootKeys: string, tableName = 'root-versions'): Promise<RunningStack> {
  const assembly = await synthesizeAssembly({ stage: 'prod', rootKeys });
  return runStack({ assembly, dynamodb: dynamodb.endpoint, tableName, root });
}

async function issueKey({ manageUrl, accessKey }: RunningStack): Promise<Key> {
  const manage = createManageClient(manageUrl, accessKey);
  const { body } = await manage('POST', '/applications/crm/keys', { scopes: ['access:read'] });
  return body as unknown as Key;
}

async function statusOf({ url }: RunningStack, key: Key): Promise<number> {
  const { status } = await sendSigned(url, key, ['GET', '/api/service/users/ada/access']);
  return status;
}
