import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deploymentContext } from '../../lib/settings/context-names.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { type Context, synthesizeAssembly } from '../stack/synthesized-stack.ts';
import { createManageClient } from '../support/ask-manage.ts';
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
  const first = await deploy('h1', 'chains');
  const manage = createManageClient(first.manageUrl, first.accessKey);
  await manage('POST', '/applications', { appId: 'crm', name: 'CRM' });
  await first.close();

  const second = await deploy('h1,h2', 'chains');
  await createManageClient(second.manageUrl, second.accessKey)('PATCH', '/applications/crm', { name: 'Renamed' });
  const changes = await historyOf(second);
  expect(changes.map(({ integrity }) => [integrity.root, integrity.previous])).toEqual([
    ['h2', changes[1]?.integrity.mac],
    ['h1', null],
  ]);
  expect(await verdictsOf(second, changes)).toEqual(['unchanged', 'unchanged']);
  const asOfTheOther = changes.map(({ integrity, ...change }) => ({
    ...change,
    integrity: { ...integrity, root: 'h2' },
  }));
  expect(await verdictsOf(second, asOfTheOther)).toEqual(['unchanged', 'changed']);
  await second.close();

  const third = await deploy('h2', 'chains');
  expect(await verdictsOf(third, changes)).toEqual(['unchanged', 'unknown-root']);
  await third.close();
});

test('what was derived from the root of API keys works while it serves every purpose, and what is new does without', async () => {
  const separate = { endpoints: 'evaluate' };
  const first = await deploy('k1', 'shared', { ...separate, [deploymentContext.transition]: oneRoot });
  const manage = createManageClient(first.manageUrl, first.accessKey);
  await manage('POST', '/applications', { appId: 'crm', name: 'CRM' });
  await manage('POST', '/connections', {
    connectionId: 'gateway',
    name: 'Gateway',
    kind: 'evaluate',
    applications: ['crm'],
  });
  const oldToken = await issueToken(first);
  await first.close();

  const second = await deploy('k1,shared', 'shared', separate);
  const newToken = await issueToken(second);
  expect([oldToken, newToken]).toEqual([expect.stringMatching(/^svt_k1_/), expect.stringMatching(/^svt_c1_/)]);
  for (const token of [oldToken, newToken]) expect(await evaluate(second, token)).toBe(200);
  expect(await verdictsOf(second, await historyOf(second))).toEqual(['unchanged']);
  await second.close();

  const third = await deploy('k1', 'shared', separate);
  expect([await evaluate(third, oldToken), await evaluate(third, newToken)]).toEqual([401, 200]);
  expect(await verdictsOf(third, await historyOf(third))).toEqual(['unchanged']);
  await third.close();
});

/** As a release leaves a deployment from before there were other roots, at its first step. */
const oneRoot = JSON.stringify({
  step: 'widen',
  deployed: { replicaRegions: [], tableArn: 'arn:aws:dynamodb:…', rootKeys: [{ name: 'k1' }], sharedRoots: true },
});

async function issueToken({ manageUrl, accessKey }: RunningStack): Promise<string> {
  const { body } = await createManageClient(manageUrl, accessKey)('POST', '/connections/gateway/keys', {});
  return String(Object(body).token);
}

async function evaluate({ url }: RunningStack, token: string): Promise<number> {
  const body = JSON.stringify({
    subject: { type: 'user', id: 'ada' },
    action: { name: 'access' },
    resource: { type: 'application', id: 'crm' },
  });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const { status } = await fetch(new URL('/access/v1/evaluation', url), { method: 'POST', headers, body });
  return status;
}

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
async function deploy(rootKeys: string, tableName = 'root-versions', others: Context = {}): Promise<RunningStack> {
  const assembly = await synthesizeAssembly({ stage: 'prod', rootKeys, ...others });
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
