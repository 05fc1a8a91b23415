import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AuthServiceClient, ForbiddenError, SignatureError, UnexpectedAnswerError } from '../../client/index.ts';
import { access, answerTo, errorOf, problem, readStamp, testKey, withoutJitter } from './client-fixture.ts';

beforeEach(withoutJitter);
afterEach(() => {
  jest.restoreAllMocks();
});

/** A client whose requests are answered by an intermediary. */
function clientBehind(answer: (request: Request) => Response): AuthServiceClient {
  const fetch = async (request: Request) => answer(request);
  return new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch });
}

const page = { 'content-type': 'text/html' };
const asProblem = { 'content-type': 'application/problem+json' };

test.each([
  ['a page with 401', () => new Response('<html>Log in</html>', { status: 401, headers: page })],
  ['a page with 403', () => new Response('<html>Forbidden</html>', { status: 403, headers: page })],
  ['JSON with 403 and a code', () => Response.json({ code: 'scope_missing' }, { status: 403 })],
  [
    'a problem document of another service',
    () => Response.json(problem('key_revoked'), { status: 401, headers: asProblem }),
  ],
  [
    'user_not_found from another service',
    () => Response.json(problem('user_not_found'), { status: 404, headers: asProblem }),
  ],
  ['an access without a nonce, as stored by a cache', () => Response.json(access)],
  [
    'an access with the nonce of another call',
    () => Response.json(access, { headers: { 'request-nonce': crypto.randomUUID() } }),
  ],
  ['an access with an empty nonce', () => Response.json(access, { headers: { 'request-nonce': '' } })],
])("%s is not the service's answer to this request", async (_, answer) => {
  const error = await errorOf(clientBehind(answer).isAllowed('ada'));
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(error).toMatchObject({ code: 'unexpected_answer', attempts: 1 });
  expect(error.detail).toMatch(/^HTTP \d+, not the service's answer to this request/);
});

test("a refusal with the nonce of the request but another content type is not the service's", async () => {
  const client = clientBehind(({ headers }) => {
    const { nonce = '' } = readStamp(headers.get('signature-input'));
    return Response.json(problem('key_revoked'), { status: 401, headers: { 'request-nonce': nonce } });
  });
  expect(await errorOf(client.getAccess('ada'))).toMatchObject({ code: 'unexpected_answer', status: 401 });
});

test('a cached response to a later call is not trusted', async () => {
  let kept: Response | undefined;
  const client = clientBehind((request) => {
    kept ??= answerTo(request, Response.json(access));
    return kept.clone();
  });
  expect(await client.isAllowed('ada')).toBe(true);
  expect(await errorOf(client.isAllowed('ada'))).toMatchObject({ code: 'unexpected_answer' });
  expect(await errorOf(client.checkAccess(['ada']))).toMatchObject({ code: 'unexpected_answer' });
});

describe('the clock', () => {
  test('is not corrected by a 401 that does not come from the service', async () => {
    const stamps: number[] = [];
    const serverTime = new Date(Date.now() + 200_000).toISOString();
    const client = clientBehind(({ headers }) => {
      stamps.push(readStamp(headers.get('signature-input')).created - Date.now() / 1000);
      return Response.json(problem('clock_skew', { serverTime }), { status: 401, headers: asProblem });
    });
    await errorOf(client.getAccess('ada'));
    await errorOf(client.getAccess('ada'));
    expect(stamps.filter((ahead) => Math.abs(ahead) > 60)).toEqual([]);
    expect(stamps).toHaveLength(2);
  });
});

test.each([429, 502, 503, 504])(
  'a %i from API Gateway or a proxy is retried, whatever its body says',
  async (status) => {
    let count = 0;
    const client = clientBehind((request) =>
      ++count === 1 ? Response.json({ code: 'key_revoked' }, { status }) : answerTo(request, Response.json(access)),
    );
    expect(await client.isAllowed('ada')).toBe(true);
    expect(count).toBe(2);
  },
);

test.each([
  ['key_revoked', 401, SignatureError],
  ['scope_missing', 403, ForbiddenError],
] as const)('%s from the service has its error class', async (code, status, ErrorOfCode) => {
  const client = clientBehind((request) => answerTo(request, Response.json(problem(code), { status })));
  const error = await errorOf(client.getAccess('ada'));
  expect(error).toBeInstanceOf(ErrorOfCode);
  expect(error).toMatchObject({ code, detail: 'D', requestId: 'R' });
});
