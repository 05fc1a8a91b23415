import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createApi } from '../../dashboard/api/create-api.ts';
import { createSequenceWriter, createWriter, type Writer } from '../../dashboard/api/create-writer.ts';

/** The responses of the service in turn; undefined is a network failure. */
let answers: readonly (Response | Promise<Response> | undefined)[];
let keys: (string | null)[];
beforeEach(() => {
  keys = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    const answer = await answers[keys.push(new Headers(init?.headers).get('idempotency-key')) - 1];
    if (answer === undefined) throw new TypeError('fetch failed');
    return answer;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const bearer = { token: () => 'token', renew: async () => true, expire: () => undefined };
const api = createApi(bearer);
const done = () => Response.json({ changed: true });
const refused = (status: number) => Response.json({ code: 'x', title: 'T', detail: 'D' }, { status });
const define = (write: Writer, description = 'Edits') =>
  write('define-role', { path: { appId: 'billing', role: 'editor' }, body: { description } });

/** Sends the same write once per response, and returns the number of different keys. */
async function countKeys(): Promise<number> {
  const write = createWriter(api);
  for (const _ of answers) await define(write).catch(() => undefined);
  expect(keys).toHaveLength(answers.length);
  return new Set(keys).size;
}

describe('an action', () => {
  test('has a random UUID as its key, sent as a structured-field string', async () => {
    answers = [done()];
    await define(createWriter(api));
    expect(keys).toEqual([expect.stringMatching(/^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/)]);
  });

  test.each<[string, () => Response | undefined]>([
    ['a network failure', () => undefined],
    ['429', () => refused(429)],
    ['500', () => refused(500)],
    ['a 502 from a proxy', () => new Response('<html>', { status: 502 })],
    ['503', () => refused(503)],
  ])('keeps its key when it is retried after %s', async (_, failure) => {
    answers = [failure(), failure(), done()];
    expect(await countKeys()).toBe(1);
  });

  test('keeps its key when the token has to be renewed', async () => {
    answers = [refused(401), done()];
    await define(createWriter(api));
    expect(new Set(keys).size).toBe(1);
  });

  test.each([400, 403, 404, 409, 412, 422])(
    'ends after a %i: the same request is then a new action',
    async (status) => {
      answers = [refused(status), done()];
      expect(await countKeys()).toBe(2);
    },
  );

  test('ends after a success', async () => {
    answers = [done(), done()];
    expect(await countKeys()).toBe(2);
  });

  test('ends when any part of the request is changed', async () => {
    const write = createWriter(api);
    const path = { appId: 'billing', role: 'editor' };
    const requests = [
      () => write('delete-role', { path }),
      () => write('delete-role', { path: { ...path, role: 'viewer' } }),
      () => write('delete-role', { path, query: { force: 'true' } }),
      () => write('define-role', { path }),
      () => write('define-role', { path, body: { description: 'Edits' } }),
      () => write('define-role', { path, body: { description: 'Edits all' } }),
      () => write('define-role', { path, body: { description: 'Edits all' }, ifMatch: 1 }),
      () => write('define-role', { path, body: { description: 'Edits all' }, ifMatch: 2 }),
    ];
    answers = [];
    for (const request of requests) await request().catch(() => undefined);
    expect(new Set(keys).size).toBe(requests.length);
  });

  test('does not end with the response to an earlier action', async () => {
    const earlier = Promise.withResolvers<Response>();
    answers = [earlier.promise, undefined, done()];
    const write = createWriter(api);
    const first = define(write, 'Earlier');
    await define(write).catch(() => undefined);
    earlier.resolve(done());
    await first;
    await define(write);
    expect([keys[2] === keys[1], keys[1] === keys[0]]).toEqual([true, false]);
  });

  test('is sent once, however often it is submitted while its response is awaited', async () => {
    const response = Promise.withResolvers<Response>();
    answers = [response.promise, done()];
    const write = createWriter(api);
    const submissions = [define(write), define(write)];
    while (keys.length === 0) await new Promise((resolve) => setImmediate(resolve));
    submissions.push(define(write));
    response.resolve(done());
    expect(await Promise.all(submissions)).toEqual([{ changed: true }, { changed: true }, { changed: true }]);
    expect(keys).toHaveLength(1);
  });

  test('is sent again with its key after a failure that all its submissions were told', async () => {
    answers = [undefined, done()];
    const write = createWriter(api);
    const failed = await Promise.allSettled([define(write), define(write)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await define(write);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test('of another form has another key', async () => {
    answers = [undefined, undefined];
    for (const write of [createWriter(api), createWriter(api)]) await define(write).catch(() => undefined);
    expect(new Set(keys).size).toBe(2);
  });
});

describe('an action of several requests, retried as a whole,', () => {
  const parts = (write: Writer) => define(write, 'One').then(() => define(write, 'Two'));

  test('repeats each request with its key, also the one that was answered', async () => {
    answers = [done(), undefined, done(), done()];
    const write = createSequenceWriter(api);
    await expect(parts(write)).rejects.toThrow();
    await parts(write);
    expect([keys[2] === keys[0], keys[3] === keys[1], keys[0] === keys[1]]).toEqual([true, true, false]);
  });

  test('sends a request that was refused as a new one', async () => {
    answers = [refused(409), done(), done()];
    const write = createSequenceWriter(api);
    await expect(parts(write)).rejects.toThrow();
    await parts(write);
    expect(new Set(keys).size).toBe(3);
  });
});

test('a deletion is retried with its key after each Retry-After until it is complete', async () => {
  const waiting = (headers: Record<string, string>) => Response.json({ complete: false }, { status: 202, headers });
  answers = [waiting({}), waiting({ 'retry-after': '2' }), Response.json({ complete: true })];
  const startedAt = Date.now();
  const write = createWriter(api);
  expect(await write('delete-user', { path: { userId: 'ada' } })).toEqual({ complete: true });
  // At least: a busy machine takes longer.
  expect(Date.now() - startedAt).toBeGreaterThan(2900);
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
});

test('a read has no key', async () => {
  answers = [Response.json({ items: [], cursor: null })];
  await api('list-users', {});
  expect(keys).toEqual([null]);
});
