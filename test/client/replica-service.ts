import { jest } from '@jest/globals';
import { type ApiKey, AuthServiceClient, type ClientSettings } from '../../client/index.ts';
import type { AccessReplicaOptions } from '../../client/replica.ts';
import { answerTo, problem, testKey } from './client-fixture.ts';
import { type WatchedReplica, watchReplica } from './watch-replica.ts';

/** The id of a change before all others. */
export const earlyChangeId = '01KAAAAAAA0000000000000000';

/** An access entry of the snapshot. */
export function accessEntry(userId: string, members: object = {}) {
  return { kind: 'access', userId, changeId: earlyChangeId, status: 'disabled', until: null, roles: [], ...members };
}

export const blocked = ['ada', 'grace'].map((userId) => accessEntry(userId));

/** The whole snapshot on one page. */
export function stubPage() {
  return { items: blocked, cursor: null, total: 2, changesCursor: 'c0', rolloutPercent: 100, applicationVersion: 1 };
}

type Answer = object | 'refuse' | 'drop' | 'hang';

/** A stub of a service that misbehaves on demand, with the clock of the test. */
export function createStubService() {
  const targets: string[] = [];
  let underWay = 0;
  const stub = {
    /** The requests, as path and query below `/api/service/`. */
    targets,
    /** The maximum number of concurrent requests. */
    most: 0,
    /** How far its clock is ahead of the test's, in milliseconds. */
    ahead: 0,
    /** Whether the responses of a test come from an intermediary. */
    isForeign: false,
    access: (_after: string | null): Answer | Promise<Answer> => stubPage(),
    changes: (after: string | null): Answer | Promise<Answer> => ({ items: [], more: false, cursor: after }),
    async fetch(request: Request): Promise<Response> {
      const { url, signal } = request;
      const { pathname, search, searchParams } = new URL(url);
      const path = pathname.replace('/api/service/', '') as 'access' | 'changes';
      targets.push(path + search);
      stub.most = Math.max(stub.most, ++underWay);
      try {
        const answer = await stub[path](searchParams.get('after'));
        if (answer === 'drop') throw new TypeError('fetch failed');
        if (answer === 'hang') return await new Promise((_, reject) => signal.addEventListener('abort', reject));
        if (answer === 'refuse') return answerTo(request, Response.json(problem('key_revoked'), { status: 401 }));
        if (answer instanceof Response) return stub.isForeign ? answer : answerTo(request, answer);
        const date = new Date(Date.now() + stub.ahead).toUTCString();
        const body = path === 'changes' ? { pending: 0, more: false, ...signed(answer) } : answer;
        return answerTo(request, Response.json(body, { headers: { date } }));
      } finally {
        underWay--;
      }
    },
  };
  return stub;
}

/** Gives changes a signature, as the service does, unless a test says something else. */
function signed(answer: object): object {
  const { items = [] } = answer as { readonly items?: readonly object[] };
  return { ...answer, items: items.map((item) => ({ signature: 'e30..AA', ...item })) };
}

export type StubService = ReturnType<typeof createStubService>;

/** A client of the stub. */
export function stubClient(stub: StubService, settings: Partial<ClientSettings & ApiKey> = {}): AuthServiceClient {
  return new AuthServiceClient({ baseUrl: 'https://auth.test', ...testKey, fetch: stub.fetch, ...settings });
}

/** A replica of the stub, and its reports. */
export function openWatched(stub: StubService, options: Partial<AccessReplicaOptions> = {}): Promise<WatchedReplica> {
  return watchReplica({ client: stubClient(stub), ...options });
}

/**
 * Fakes the clocks and the jitter of a test, and signatures: nothing verifies them, and WebCrypto does not follow fake
 * timers.
 */
export function fakeTime(now: number): void {
  jest.useFakeTimers({ now, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  jest.spyOn(crypto.subtle, 'sign').mockResolvedValue(new ArrayBuffer(32));
  jest.spyOn(crypto.subtle, 'importKey').mockResolvedValue({} as never);
}

/** Advances the clock of the test, and runs everything that is due. */
export async function pass(seconds: number): Promise<void> {
  await settle();
  for (let left = seconds; left > 0; left--) {
    await jest.advanceTimersByTimeAsync(Math.min(1, left) * 1000);
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
