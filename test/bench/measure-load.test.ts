import { expect, test } from '@jest/globals';
import { signedRequest } from '../../bench/measure-load.ts';
import { describeService } from '../support/describe-service.ts';
import { send } from '../support/send-request.ts';

const service = describeService();

test('every request of the load is accepted', async () => {
  const target = {
    baseUrl: service.url,
    ...service.billingKey,
    userIds: ['ada', 'grace'],
    roles: ['viewer', 'editor'],
  };
  for (const percent of [0, 89, 90, 97, 98, 99].flatMap((each) => new Array(5).fill(each))) {
    const { method = '', path = '', body, headers } = signedRequest(target, percent);
    const sent = { method, target: path, headers: headers as Record<string, string>, body: String(body) || undefined };
    expect((await send(service.url, sent)).status).toBe(200);
  }
});
