import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { internals } from '../../client/client-internals.ts';
import { AuthServiceClient } from '../../client/index.ts';
import type { ReplicaState } from '../../client/replica/decide-locally.ts';
import { openReplicaFile } from '../../client/replica/replica-file.ts';
import type { AccessReplica, AccessReplicaOptions, ReplicaFailure } from '../../client/replica.ts';
import { allNumbered } from '../support/all-numbered.ts';
import { eventually } from '../support/eventually.ts';
import { newUser } from '../support/new-user.ts';
import { operator, startBundles, type TestService } from '../support/start-service.ts';
import { watchReplica } from './watch-replica.ts';

let service: TestService;
let client: AuthServiceClient;
let folder: string;
beforeAll(async () => {
  service = await startBundles();
  client = clientThrough((request) => fetch(request));
  folder = mkdtempSync(join(tmpdir(), 'auth-service-repair-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const open: AccessReplica[] = [];
afterEach(async () => {
  for (const replica of open.splice(0)) await replica.close();
});

type Fetch = (request: Request) => Promise<Response>;
const clientThrough = (fetchAnswer: Fetch) =>
  new AuthServiceClient({ baseUrl: service.url, ...service.billingKey, fetch: fetchAnswer, timeoutSeconds: 60 });

async function openReplica(options: Partial<AccessReplicaOptions> = {}) {
  const watched = await watchReplica({ client, pollSeconds: 0.1, verifySeconds: 0, ...options });
  open.push(watched.replica);
  return watched;
}

async function ofService(userId: string) {
  const [answer] = await client.checkAccess([userId]);
  if (answer === undefined || 'code' in answer)
    return { effectiveStatus: 'disabled', decidedBy: null, roles: [], code: 'user_not_found' };
  const { effectiveStatus, decidedBy, roles } = answer;
  return { effectiveStatus, decidedBy, roles, code: null };
}

/** The answers of both are compared as they are at one time: a role may expire while the replica catches up. */
async function expectSame(replica: AccessReplica, userId: string): Promise<void> {
  const both = async () => {
    const expected = await ofService(userId);
    const { effectiveStatus, decidedBy, roles, code } = replica.check(userId);
    return { expected, answer: { effectiveStatus, decidedBy, roles, code } };
  };
  const { expected, answer } = await eventually(both, (given) => isDeepStrictEqual(given.answer, given.expected));
  expect(answer).toEqual(expected);
}

const repaired = (failures: readonly ReplicaFailure[]) =>
  failures.flatMap(({ during, userIds }) => (during === 'repair' ? (userIds ?? ['a failure']) : []));

async function setUserStatus(userId: string, status: 'active' | 'inactive'): Promise<void> {
  const { setUserStatus: set } = await import('#shared/domain/user/users.ts');
  await set({ userId: userId as UserId, status, reason: null }, operator);
}

async function erase(userId: string): Promise<void> {
  const { deleteUser } = await import('#shared/domain/user/delete-user.ts');
  await deleteUser({ userId: userId as UserId }, operator);
}

/** Users of every kind, by a name for each. */
async function manyUsers() {
  const [blocked, until, member, leaver, inactive, erased, untouched] = (await Promise.all(
    Array.from({ length: 7 }, () => newUser()),
  )) as [string, string, string, string, string, string, string];
  await client.setAccess(blocked, { status: 'disabled' });
  await client.setAccess(until, { status: 'disabled', until: new Date(Date.now() + 3_600_000) });
  await client.assignRole(member, { role: 'editor', expiresAt: new Date(Date.now() + 7_200_000) });
  await client.assignRole(member, 'viewer');
  await client.assignRole(leaver, 'editor');
  await client.revokeRole(leaver, 'editor');
  await setUserStatus(inactive, 'inactive');
  await client.setAccess(erased, { status: 'disabled' });
  await erase(erased);
  return { blocked, until, member, leaver, inactive, erased, untouched };
}

describe('a comparison', () => {
  test('finds no difference in a correct replica, while users change', async () => {
    const { untouched, leaver } = users;
    let digests = 0;
    const counting = clientThrough((request) => {
      if (request.url.includes('digest=true')) digests++;
      return fetch(request);
    });
    const { replica, failures } = await openReplica({ client: counting, verifySeconds: 0.2 });
    for (let round = 0; round < 8; round++) {
      await client.setAccess(untouched, { status: round % 2 ? 'enabled' : 'disabled' });
      await client.assignRole(leaver, { role: 'editor', expiresAt: new Date(Date.now() + 1000) });
      await setUserStatus(untouched, round % 2 ? 'active' : 'inactive');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    for (const userId of Object.values(users)) await expectSame(replica, userId);
    expect(digests).toBeGreaterThan(5);
    expect(failures).toEqual([]);
  });

  type Users = Awaited<ReturnType<typeof manyUsers>>;
  let users: Users;
  beforeAll(async () => {
    users = await manyUsers();
    // Pending changes come again after a restart, and would repair a part.
    await allNumbered(service);
  });

  test.each<[string, keyof Users, (state: ReplicaState, userId: string) => void]>([
    ['a lost block', 'blocked', ({ users }, userId) => users.delete(userId)],
    ['a changed status', 'blocked', ({ users }, userId) => users.set(userId, ['set', '', 'enabled'])],
    ['a changed end of a block', 'until', ({ users }, userId) => users.set(userId, ['set', '', Date.now() - 1000])],
    ['a lost role', 'member', ({ users }, userId) => users.set(userId, ['+viewer', '', null])],
    ['a role that was revoked', 'leaver', ({ users }, userId) => users.set(userId, ['+editor', '', null])],
    ['an inactive user who is active', 'inactive', ({ users }, userId) => users.delete(userId)],
    ['an active user who is inactive', 'untouched', ({ users }, userId) => users.set(userId, ['user', '', true])],
    ['an erased user who exists', 'erased', ({ users }, userId) => users.delete(userId)],
    [
      'a blocked user who is erased',
      'blocked',
      ({ users }, userId) => users.set(userId, ['all', '', Date.now() + 9 * 86_400_000]),
    ],
    [
      'another rollout',
      'untouched',
      (state) => {
        state.rollout = [0, state.rollout[1]];
      },
    ],
  ])('after a start with a file repairs %s, also in the file', async (name, kind, alter) => {
    const file = join(folder, name.replaceAll(' ', '-'));
    const first = await openReplica({ file });
    await first.replica.synchronized;
    await first.replica.close();
    const stored = openReplicaFile(file, 'billing', (client as unknown as Record<symbol, never>)[internals] as never);
    const content = await stored.read();
    if (content === undefined) throw new Error('There is no file');
    alter(content.state, users[kind]);
    await stored.write(content);

    const { replica, failures } = await openReplica({ file, verifySeconds: 1000 });
    for (const userId of Object.values(users)) await expectSame(replica, userId);
    const expected = name === 'another rollout' ? [] : [users[kind]];
    expect(
      await eventually(
        async () => repaired(failures),
        (ids) => ids.length >= expected.length,
      ),
    ).toEqual(expected);
    await replica.close();
    const again = await openReplica({ file, verifySeconds: 0 });
    for (const userId of Object.values(users)) await expectSame(again.replica, userId);
  });
});

/** Leaves out changes of a user from the feed, as if they were never in it. */
const hiding = (userId: () => string | undefined): Fetch => {
  return async (request) => {
    const response = await fetch(request);
    if (!request.url.includes('/changes')) return response;
    const body = (await response.json()) as { items: { userId?: string }[]; pending: number };
    const items = body.items.filter((item) => item.userId !== userId());
    const pending = Math.max(0, body.pending - (body.items.length - items.length));
    return Response.json({ ...body, items, pending }, { headers: response.headers });
  };
};

describe('a change that is missing in the feed', () => {
  test('is found by the next comparison', async () => {
    const hidden = await newUser();
    const { replica, failures, changes } = await openReplica({
      client: clientThrough(hiding(() => hidden)),
      verifySeconds: 1,
    });
    await client.setAccess(hidden, { status: 'disabled' });
    await expectSame(replica, hidden);
    expect(repaired(failures)).toEqual([hidden]);
    expect(changes).toEqual([{ all: false, userIds: [hidden] }]);
  });

  test('is found by the next change of the user, which does not continue what is known', async () => {
    const hidden = await newUser();
    let isHiding = true;
    let requests = 0;
    const through = hiding(() => (isHiding ? hidden : undefined));
    const counting: Fetch = (request) => {
      requests += 1;
      return through(request);
    };
    const { replica, failures } = await openReplica({ client: clientThrough(counting) });
    await client.assignRole(hidden, 'viewer');
    await client.assignRole(hidden, 'editor');
    await client.setAccess(hidden, { status: 'disabled' });
    // Until the hidden changes have their numbers, they are repeated.
    await allNumbered(service);
    const asked = requests;
    await eventually(
      async () => requests,
      (count) => count > asked + 2,
    );
    isHiding = false;
    await client.revokeRole(hidden, 'editor');
    await expectSame(replica, hidden);
    expect(replica.check(hidden).roles).toHaveLength(1);
    expect(new Set(repaired(failures))).toEqual(new Set([hidden]));
  });
});

describe('answers of a cache or a proxy', () => {
  /** Answers each request as an earlier one of the same URL was answered. */
  function createReplay() {
    const stored = new Map<string, { body: string; headers: [string, string][] }>();
    const state = { isReplaying: false, rewritesNonce: false };
    const fetchAnswer: Fetch = async (request) => {
      const known = stored.get(request.url);
      if (state.isReplaying && known) return new Response(known.body, { headers: known.headers });
      if (state.isReplaying) return new Response('<html>', { status: 504 });
      const response = await fetch(request);
      stored.set(request.url, { body: await response.clone().text(), headers: [...response.headers] });
      return response;
    };
    return { state, fetchAnswer };
  }

  test('do not make the data look young, and cannot hide a block for longer than they last', async () => {
    const userId = await newUser();
    const replay = createReplay();
    const { replica, failures } = await openReplica({
      client: clientThrough(replay.fetchAnswer),
      maxStalenessSeconds: 1,
      whenStale: 'deny',
    });
    await eventually(
      async () => failures.length,
      () => replica.ageSeconds < 0.5,
    );
    replay.state.isReplaying = true;
    const since = performance.now();
    await client.setAccess(userId, { status: 'disabled' });
    const age = await eventually(
      async () => replica.ageSeconds,
      (seconds) => seconds > 1.5,
    );
    expect(age).toBeLessThan((performance.now() - since) / 1000 + 1);
    expect(replica.check(userId).code).toBe('stale');
    expect(failures[0]).toMatchObject({
      during: 'poll',
      error: { code: expect.stringMatching(/unexpected_answer|unavailable/) },
    });
    replay.state.isReplaying = false;
    await expectSame(replica, userId);
  });
});

describe('resync', () => {
  test('reads everything again, and resolves when that decides', async () => {
    const hidden = await newUser();
    const { replica, changes } = await openReplica({ client: clientThrough(hiding(() => hidden)) });
    await client.setAccess(hidden, { status: 'disabled' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(replica.check(hidden).effectiveStatus).toBe('enabled');
    await Promise.all([replica.resync(), replica.resync()]);
    expect(replica.check(hidden).effectiveStatus).toBe('disabled');
    expect(changes).toEqual([{ all: false, userIds: [hidden] }]);
  });

  test('rejects once the replica is closed', async () => {
    const { replica } = await openReplica({ client: clientThrough((request) => fetch(request)) });
    const outcome = expect(replica.resync()).rejects.toThrow('closed');
    await replica.close();
    await outcome;
    await expect(replica.resync()).rejects.toThrow('closed');
  });
});
