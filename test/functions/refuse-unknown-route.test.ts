import { describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { type SentRequest, send } from '../support/send-request.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();

const access = '/api/service/users/ada/access';
const unsigned = (method: string, target: string, rest: Partial<SentRequest> = {}) =>
  send(service.url, { method, target, headers: {}, body: undefined, ...rest });

describe('404', () => {
  writeNothing(() => service);

  test.each([
    ['GET', '/'],
    ['GET', '/api/service'],
    ['GET', '/api/service/users'],
    ['GET', '/api/service/users/ada'],
    ['GET', '/api/service/users//access'],
    ['GET', `${access}/`],
    ['GET', `${access}/more`],
    ['GET', `/${access}`],
    ['GET', access.toUpperCase()],
    ['PUT', '/api/service/users/a%2Fb/access'],
    ['POST', '/api/service/users/ada/assign'],
    ['DELETE', '/api/service/roles/ada/revoke'],
    ['GET', `/nothing?to=${encodeURIComponent(access)}`],
  ])('answers 404 to %s %s, signed or not', async (method, target) => {
    for (const answer of [await unsigned(method, target), await service.request([method, target])]) {
      expectProblem(answer, 'route_not_found');
      expect(answer.headers.allow).toBeUndefined();
    }
  });

  test.each([
    ['DELETE', access, 'GET, PUT'],
    ['POST', access, 'GET, PUT'],
    ['PATCH', access, 'GET, PUT'],
    ['OPTIONS', access, 'GET, PUT'],
    ['POST', '/api/service/users/auth0%7C123/access', 'GET, PUT'],
    ['PUT', '/api/service/roles/ada/assign', 'POST'],
    ['GET', '/api/service/roles/ada/assign', 'POST'],
    ['GET', '/api/service/users/ada/revoke', 'DELETE'],
    ['POST', '/api/service/users/ada/revoke?role=editor', 'DELETE'],
  ])('answers 404 to %s %s, signed or not, and says which methods the path supports', async (method, target, allow) => {
    for (const answer of [await unsigned(method, target), await service.request([method, target])]) {
      expectProblem(answer, 'route_not_found');
      expect(answer.body.detail).toBe(`This path does not support ${method}. Allowed: ${allow}.`);
      expect(answer.headers.allow).toBe(allow);
    }
  });

  test('answers HEAD at an unknown route without a body', async () => {
    const { status, headers, body } = await unsigned('HEAD', access);
    expect([status, headers.allow, body]).toEqual([404, 'GET, PUT', null]);
  });

  test.each([
    ['JSON', 'application/json', '{"status":"disabled"}'],
    ['not JSON', 'application/json', '{'],
    ['over 16 KB', 'application/json', ' '.repeat(20_000)],
    ['bytes', 'application/octet-stream', Buffer.from([0, 255])],
  ])('does not read the body at an unknown route that is %s', async (_, type, body) => {
    expectProblem(await unsigned('POST', '/nothing', { headers: { 'content-type': type }, body }), 'route_not_found');
  });

  test('a 404 of the Service API does not echo the path, query or headers', async () => {
    const target = '/%3Cscript%3Ealert(1)%3C%2Fscript%3E/%22marker%22?q=<marker>';
    const answer = await unsigned('GET', target, { headers: { 'x-marker': 'marker', 'user-agent': 'marker' } });
    expectProblem(answer, 'route_not_found');
    expect(JSON.stringify([answer.headers, answer.body])).not.toMatch(/marker|script|alert/i);
  });
});
