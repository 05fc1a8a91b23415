import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compareHistory, type LoadTarget } from '../../bench/compare-history.ts';
import { kinds, signedRequest } from '../../bench/send-load.ts';
import { send } from '../support/send-request.ts';
import { startSources, type TestService } from '../support/start-service.ts';

let service: TestService;
let target: LoadTarget;
beforeAll(async () => {
  service = await startSources();
  target = { baseUrl: service.url, ...service.billingKey, userIds: ['ada', 'grace'], roles: ['viewer', 'editor'] };
});
afterAll(() => service.stop());

test.each(kinds)('requests of the kind %s are accepted, each by itself', async (kind) => {
  for (let count = 0; count < 10; count++) {
    const { method = '', path = '', body, headers } = signedRequest(target, kind);
    const sent = { method, target: path, headers: headers as Record<string, string>, body: String(body) || undefined };
    expect(await send(service.url, sent)).toMatchObject({ status: 200 });
  }
});

test('the history that is read back leads to the accesses as they are', async () => {
  const { changes, ...agreement } = await compareHistory(target);
  expect(changes).toBeGreaterThan(5);
  expect(agreement).toEqual({ accesses: 2, disagreeing: [] });
});
