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

test('with a second root version new keys derive from it, and keys of the first still work', async () => {
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

/** Runs the stack with production settings, on the same table each time. */
async function deploy(rootKeyVersions: string): Promise<RunningStack> {
  const assembly = await synthesizeAssembly({ stage: 'prod', rootKeyVersions });
  return runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'root-versions', root });
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
