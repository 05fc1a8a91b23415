import { afterEach, expect, jest, test } from '@jest/globals';
import { createApi } from '../../dashboard/api/create-api.ts';
import { toProblem } from '../../dashboard/api/problem-error.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const deleteAda = { path: { userId: 'ada' } };
const done = { changed: true };
const unavailable = { title: 'Unavailable', code: 'unavailable', detail: 'Try again.', requestId: 'r1' };

/** A page whose service gives these answers, one after the other. */
function pageWith(...answers: readonly (Response | Error)[]) {
  const sent: Headers[] = [];
  let token = 'first';
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    sent.push(new Headers(init?.headers));
    const answer = answers[sent.length - 1];
    if (answer instanceof Response) return answer;
    throw answer ?? new Error('No more answers');
  });
  const expire = jest.fn();
  const renew = async () => {
    token = 'second';
    return true;
  };
  return { sent, expire, api: createApi({ token: () => token, renew, expire }) };
}

test('a refused token is renewed, and the same write is sent again with the new one', async () => {
  const { api, sent, expire } = pageWith(Response.json({}, { status: 401 }), Response.json(done));
  expect(await api('delete-user', deleteAda)).toEqual(done);
  expect(sent.map((headers) => headers.get('authorization'))).toEqual(['Bearer first', 'Bearer second']);
  expect(new Set(sent.map((headers) => headers.get('idempotency-key'))).size).toBe(1);
  expect(expire).not.toHaveBeenCalled();
});

test('a session whose new token is refused too has ended', async () => {
  const { api, expire } = pageWith(Response.json({}, { status: 401 }), Response.json({}, { status: 401 }));
  await expect(api('delete-user', deleteAda)).rejects.toMatchObject({ code: 'session_ended' });
  expect(expire).toHaveBeenCalledTimes(1);
});

test('what takes several requests is repeated until it is complete', async () => {
  const { api, sent } = pageWith(Response.json({}, { status: 202 }), Response.json(done));
  expect(await api('delete-user', deleteAda)).toEqual(done);
  expect(sent).toHaveLength(2);
});

test.each([
  ['a problem of the service', Response.json(unavailable, { status: 503 }), { ...unavailable, status: 503 }],
  ['an answer of something in front of it', new Response('<html>', { status: 503 }), { code: 'unavailable' }],
  ['no answer', new TypeError('fetch failed'), { code: 'unreachable' }],
])(
  'a page repeats nothing by itself after %s',
  async (_, answer, { detail: message, ...problem }: object & { detail?: string }) => {
    const { api, sent } = pageWith(answer);
    const failed = await api('get-user', deleteAda).catch(toProblem);
    expect(failed).toMatchObject({ ...problem, ...(message && { message }) });
    expect(sent).toHaveLength(1);
  },
);
