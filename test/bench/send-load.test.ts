import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countChanges } from '../../bench/measure-load.ts';
import { kinds, type LoadTarget, signedRequest } from '../../bench/send-load.ts';
import { send } from '../support/send-request.ts';
import { startSources, type TestService } from '../support/start-service.ts';

let service: TestService;
let target: LoadTarget;
beforeAll(async () => {
  service = await startSources();
  target = { baseUrl: service.url, ...service.billingKey, userIds: ['ada', 'grace'], roles: ['viewer', 'editor'] };
});
afterAll(() => service.stop());

test('requests of each kind are accepted, and the feed has as many changes as they reported', async () => {
  let changed = 0;
  const before = await countChanges(target);
  for (const kind of kinds.flatMap((each) => new Array(10).fill(each))) {
    const { method = '', path = '', body, headers } = signedRequest(target, kind);
    const sent = { method, target: path, headers: headers as Record<string, string>, body: String(body) || undefined };
    const answer = await send(service.url, sent);
    expect(answer.status).toBe(200);
    if (method !== 'GET' && answer.body.changed) changed++;
  }
  expect(changed).toBeGreaterThan(5);
  expect((await countChanges(target)) - before).toBe(changed);
});
