import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  AuthServiceClient,
  type AuthServiceClientOptions,
  AuthServiceError,
  UnavailableError,
} from '../../client/index.ts';
import { eventually } from '../support/eventually.ts';
import { access, answerTo, errorOf, problem, stubFetch, testKey, withoutJitter } from './client-fixture.ts';
import { type StubServer, startStubServer } from './stub-server.ts';

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
  withoutJitter();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const enabled = { status: 200, body: access };

function clientOf(options: Partial<AuthServiceClientOptions> = {}): AuthServiceClient {
  return new AuthServiceClient({ baseUrl: server.url, ...testKey, ...options });
}

/** The error of a call that must end within this time. Without its deadline it would take 8 s more, or 10 s as by default. */
async function errorWithin(seconds: number, call: Promise<unknown>): Promise<AuthServiceError> {
  const startedAt = performance.now();
  const error = await errorOf(call);
  expect(performance.now() - startedAt).toBeLessThan(seconds * 1000 + 5000);
  return error;
}

describe('the deadline of a call', () => {
  test('applies to all attempts together, and each gets its share of the remaining time', async () => {
    server.reactions = ['hang'];
    const error = await errorWithin(2, clientOf({ timeoutSeconds: 2 }).getAccess('ada'));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ code: 'no_answer', cause: 'time-out', attempts: 4 });
    expect(error.message).toContain('time-out');
  });

  test('is 10 seconds by default', async () => {
    const { fetch } = stubFetch(() => new Promise<Response>(() => {}));
    const limits: number[] = [];
    const setTimer = globalThis.setTimeout;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, milliseconds: number) => {
      limits.push(Math.round(milliseconds / 100) / 10);
      return setTimer(run, 0);
    }) as never);
    await errorOf(clientOf({ maxAttempts: 1, fetch }).getAccess('ada'));
    await errorOf(clientOf({ fetch }).getAccess('ada'));
    expect(limits.slice(0, 2)).toEqual([10, 2.5]);
  });

  test('applies even if fetch ignores its signal or the key never arrives', async () => {
    const never = () => new Promise<never>(() => {});
    expect(await errorWithin(1, clientOf({ timeoutSeconds: 0.5, fetch: never }).getAccess('ada'))).toMatchObject({
      code: 'no_answer',
    });
    const keyless = new AuthServiceClient({ baseUrl: server.url, key: never, timeoutSeconds: 0.5 });
    expect(await errorWithin(1, keyless.getAccess('ada'))).toMatchObject({ code: 'no_answer', attempts: 0 });
    expect(server.seen).toEqual([]);
  });

  test('is never followed by a request, even if the key arrives later and fetch ignores its signal', async () => {
    const { requests, fetch } = stubFetch(() => Response.json(access));
    const key = () => new Promise<typeof testKey>((resolve) => setTimeout(() => resolve(testKey), 300));
    const late = new AuthServiceClient({ baseUrl: server.url, key, fetch, timeoutSeconds: 0.1, maxAttempts: 1 });
    expect(await errorOf(late.setAccess('ada', { status: 'disabled' }))).toMatchObject({ code: 'no_answer' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(requests).toEqual([]);
  });

  test('leaves no timer behind', async () => {
    server.reactions = [enabled];
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    await clientOf().isAllowed('ada');
    expect(cleared).toHaveBeenCalled();
  });

  test('gives the last attempt all of the remaining time', async () => {
    const { requests, fetch } = stubFetch((_, count) =>
      count === 1
        ? Response.json(problem('unavailable'), { status: 503 })
        : new Promise<Response>((resolve) => setTimeout(() => resolve(Response.json(access)), 1700)),
    );
    expect(await clientOf({ timeoutSeconds: 3, maxAttempts: 2, fetch }).isAllowed('ada')).toBe(true);
    expect(requests).toHaveLength(2);
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  test('before a call sends nothing', async () => {
    const error = await errorOf(clientOf().isAllowed('ada', { signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ code: 'aborted', attempts: 0 });
    expect(error.cause).toBe(reason);
    expect(server.seen).toHaveLength(0);
  });

  test.each([
    ['during a request', 'hang'],
    ['between two requests', { status: 503, body: problem('unavailable'), headers: { 'retry-after': '5' } }],
  ] as const)("%s throws an error whose cause is the signal's reason", async (_, reaction) => {
    server.reactions = [reaction];
    const enough = new AbortController();
    const call = clientOf().isAllowed('ada', { signal: enough.signal });
    const ended = errorWithin(2, call);
    await eventually(
      async () => server.seen.length,
      (count) => count === 1,
    );
    setTimeout(() => enough.abort(reason), 50);
    const error = await ended;
    expect(error).toBeInstanceOf(AuthServiceError);
    expect(error).not.toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ code: 'aborted', attempts: 1 });
    expect(error.cause).toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  test("by AbortSignal.timeout has the signal's error as its cause", async () => {
    server.reactions = ['hang'];
    const { cause } = await errorOf(clientOf().isAllowed('ada', { signal: AbortSignal.timeout(50) }));
    expect(cause).toMatchObject({ name: 'TimeoutError' });
  });

  test('ends the wait for changes', async () => {
    server.reactions = [{ status: 200, body: { items: [], more: false, cursor: 'c' } }];
    const enough = new AbortController();
    setTimeout(() => enough.abort(reason), 50);
    const pages = clientOf().changes({ pollSeconds: 60, signal: enough.signal });
    const error = await errorWithin(0, pages.next());
    expect([error.code, error.cause]).toEqual(['aborted', reason]);
  });

  test("leaves no listener on the caller's signal", async () => {
    server.reactions = [enabled];
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    await clientOf().isAllowed('ada', { signal });
    expect(added.mock.calls.map(([, , options]) => (options as { signal: AbortSignal }).signal.aborted)).toEqual([
      true,
    ]);
  });
});

describe('the circuit', () => {
  /** A client of a service whose responses the test changes. */
  function startCircuit(options: Partial<AuthServiceClientOptions> = {}) {
    const service = { reaction: 'hang' as 'hang' | 'refuse' | 'answer', count: 0 };
    const fetch = (request: Request) => {
      service.count++;
      if (service.reaction === 'hang')
        return new Promise<Response>((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason));
        });
      if (service.reaction === 'refuse') throw new Error('refused');
      return Promise.resolve(answerTo(request, Response.json(access)));
    };
    return { service, client: clientOf({ timeoutSeconds: 0.5, maxAttempts: 1, fetch, ...options }) };
  }

  const codesOf = async (client: AuthServiceClient, calls: number): Promise<string[]> => {
    const codes: string[] = [];
    for (let call = 0; call < calls; call++)
      codes.push(await client.isAllowed('ada').then(String, (error) => error.code));
    return codes;
  };

  test('opens after three timed-out calls, and reports for how long', async () => {
    const { service, client } = startCircuit();
    expect(await codesOf(client, 3)).toEqual(['no_answer', 'no_answer', 'no_answer']);
    const sent = service.count;
    const error = await errorOf(client.isAllowed('ada'));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ code: 'circuit_open', detail: '3 calls timed out' });
    expect(error.retryAfterSeconds).toBeGreaterThan(4);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(5);
    expect(service.count).toBe(sent);
  });

  test('lets one call through after openSeconds, which closes it if there is a response', async () => {
    const { service, client } = startCircuit({ circuit: { timeouts: 2, openSeconds: 0.2 } });
    expect(await codesOf(client, 3)).toEqual(['no_answer', 'no_answer', 'circuit_open']);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const together = await Promise.all([codesOf(client, 1), codesOf(client, 1)]);
    expect(together).toEqual([['no_answer'], ['circuit_open']]);
    expect(await codesOf(client, 1)).toEqual(['circuit_open']);

    service.reaction = 'answer';
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await codesOf(client, 3)).toEqual(['true', 'true', 'true']);
  });

  test('counts only consecutive timed-out calls', async () => {
    const { service, client } = startCircuit({ circuit: { timeouts: 2 } });
    for (const reaction of ['answer', 'refuse'] as const) {
      service.reaction = 'hang';
      expect(await codesOf(client, 1)).toEqual(['no_answer']);
      service.reaction = reaction;
      await codesOf(client, 1);
    }
  });

  test('an aborted call neither counts nor closes it', async () => {
    const { client } = startCircuit({ circuit: { timeouts: 2 } });
    const abort = () => errorOf(client.isAllowed('ada', { signal: AbortSignal.abort() }));
    expect((await abort()).code).toBe('aborted');
    expect(await codesOf(client, 1)).toEqual(['no_answer']);
    expect((await abort()).code).toBe('aborted');
    expect(await codesOf(client, 2)).toEqual(['no_answer', 'circuit_open']);
  });

  test('never opens with timeouts: Infinity', async () => {
    const { client } = startCircuit({ circuit: { timeouts: Number.POSITIVE_INFINITY } });
    expect(new Set(await codesOf(client, 4))).toEqual(new Set(['no_answer']));
  });
});
