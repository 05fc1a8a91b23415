import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { problemExamples } from '#shared/openapi/problem-examples.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { synthesizeAssembly } from '../stack/synthesized-stack.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { type Key, type SentRequest, sendSigned } from '../support/send-request.ts';

const root = Buffer.alloc(32, 7).toString('base64');
const access = ['GET', '/api/service/users/ada/access'] as const;
let dynamodb: DynamodbProcess;
let stack: RunningStack;
let key: Key;

/** Operators can send from any address, and issue the key. */
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  const assembly = await synthesizeAssembly({ allowedCidrs: '203.0.113.0/24,127.0.0.2/32' });
  stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'allow-list', root });
  const manage = createManageClient(stack.manageUrl, stack.accessKey);
  await manage('POST', '/applications', { appId: 'crm', name: 'CRM' });
  await manage('PUT', '/users/ada', {});
  key = (await manage('POST', '/applications/crm/keys', { scopes: ['access:read', 'access:write'] })).body as Key;
});
afterAll(async () => {
  await stack.close();
  await dynamodb.stop();
});

test('answers a request from an address on the allow list', async () => {
  const tamper = (request: SentRequest) => ({ ...request, from: '127.0.0.2' });
  expect((await sendSigned(stack.url, key, access, { tamper })).status).toBe(200);
});

describe('refuses a request from an unlisted address', () => {
  test('with 403 address_not_allowed and the address that the service sees', async () => {
    const answer = await sendSigned(stack.url, key, access);
    expectProblem(answer, 'address_not_allowed');
    const { detail } = problemExamples.address_not_allowed.value;
    expect(answer.body.detail).toBe(detail.replace('203.0.113.9', '127.0.0.1'));
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'cloudfront-viewer-address', 'true-client-ip'])(
    'the header %s does not change the address that the allow list checks',
    async (name) => {
      const headers = { [name]: name === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9' };
      expectProblem(await sendSigned(stack.url, key, access, { headers }), 'address_not_allowed');
    },
  );

  test('refuses an address before it reads the request', async () => {
    const body = 'x'.repeat(20_000);
    const answer = await fetch(`${stack.url}${access[1]}`, { method: 'PUT', body });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'address_not_allowed' }]);
  });

  test('the allow list does not apply to operators, whom AWS authenticates', async () => {
    const manage = createManageClient(stack.manageUrl, stack.accessKey);
    expect((await manage('GET', '/users/ada')).status).toBe(200);
  });
});
