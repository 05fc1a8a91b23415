import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { changeActions } from '#shared/contract/change-actions.ts';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { optionOutcomes } from '#test/support/option-outcomes.ts';
import { changeKeys, verifyChange } from '../../client/verify-change.ts';
import { putItems, removeItem } from '../support/alter-item.ts';
import { operationClient } from '../support/ask-operation.ts';
import { chainedChange } from '../support/chained-change.ts';
import { eventually } from '../support/eventually.ts';
import type { BusFault, PutEntry } from '../support/faulty-bus.ts';
import { manageOutcomes } from '../support/manage-outcomes.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import { rowsOf } from '../support/outcomes.ts';
import { type Publishing, startPublishing } from '../support/start-publishing.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { storedChange, withoutKeys } from '../support/stored-items.ts';

type Item = Record<string, unknown>;

let service: TestService;
let publishing: Publishing;
const ask = operationClient(() => service);
beforeAll(async () => {
  service = await startBundles();
  publishing = await startPublishing(service);
});
afterAll(async () => {
  await publishing.stop();
  await service.stop();
});
beforeEach(async () => {
  await allPublished();
});
afterEach(() => {
  publishing.bus.fault = undefined;
});

/** Reads the Changes in the table, in their published form, by id. */
async function changesInTable(): Promise<Map<string, Item>> {
  const items = [...(await service.items())].filter(([key]) => key.includes(' CHANGE#'));
  return new Map(items.map(([, item]) => [String(item.id), withoutKeys(item)]));
}

const changeEvents = () => publishing.events.filter(({ source }) => source === 'auth-service');
const details = () => changeEvents().map(({ detail }) => detail as Item);
const eventsOf = (userId: string) => details().filter((change) => change.userId === userId);

async function allPublished(): Promise<void> {
  const inTable = await changesInTable();
  const isOut = () => {
    const ids = new Set(details().map(({ id }) => id));
    return [...inTable.keys()].every((id) => ids.has(id));
  };
  expect(await eventually(async () => isOut(), Boolean)).toBe(true);
}

const setStatus = (userId: string, status: string, reason = 'for a reason') =>
  service.request(['PUT', `/api/service/users/${userId}/access`], { body: { status, reason } });

/** Disables and enables a user this many times, with one change each. */
async function change(userId: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { body } = await setStatus(userId, time % 2 === 0 ? 'disabled' : 'enabled');
    expect(body.changed).toBe(true);
  }
}

/** Makes every kind of change: all that operators can do. */
async function changeEverything(): Promise<void> {
  const writes = rowsOf(manageOutcomes(() => service, ask)).filter(({ operation, outcome }) => {
    const { method } = manageOperations[operation as ManageOperationName];
    return outcome === 'done' && method !== 'GET' && operation !== 'repair';
  });
  for (const { operation, prepare } of writes) {
    const { call, status } = await prepare();
    expect((await ask(operation, call)).status).toBe(status);
  }
}

describe('without faults', () => {
  test('every kind of change becomes one event, equal to the Change in the table, that everyone can verify', async () => {
    await changeEverything();
    await allPublished();
    const unplayed = optionOutcomes.flatMap((outcomes) => outcomes.unplayed ?? []);
    const expected = changeActions.length - unplayed.length;
    const isOut = () => new Set(details().map(({ action }) => action)).size === expected;
    expect(await eventually(async () => isOut(), Boolean)).toBe(true);
    const inTable = await changesInTable();
    const verifying = changeKeys({ baseUrl: service.url });
    expect(new Set(details().map(({ id }) => id)).size).toBe(details().length);
    for (const { source, 'detail-type': type, time, detail } of changeEvents()) {
      const { signature, ...published } = detail as Item;
      expect([source, type]).toEqual(['auth-service', published.action]);
      expect(Date.parse(time)).toBe(Math.floor(Date.parse(String(published.at)) / 1000) * 1000);
      expect(await verifyChange(published, { keys: verifying }).catch(({ reason }) => reason)).toBe(
        'missing-signature',
      );
      expect(await verifyChange({ ...published, signature }, { keys: verifying })).toMatchObject({ id: published.id });
      // A user's history is erased with the user.
      expect(inTable.get(String(published.id)) ?? published).toEqual(published);
    }
  });

  test('the events of a user arrive in the order of the changes', async () => {
    const user = await newUser();
    await change(user, 25);
    await allPublished();
    const versions = eventsOf(user).map(({ after }) => (after as Item).version);
    expect(versions).toEqual([1, ...Array.from({ length: 25 }, (_, index) => index + 1)]);
  });

  test('nothing is published for a write that changes nothing', async () => {
    const user = await newUser();
    await setStatus(user, 'disabled');
    const { body } = await setStatus(user, 'disabled');
    await change('grace', 1);
    await allPublished();
    expect([body.changed, eventsOf(user).map(({ action }) => action)]).toEqual([
      false,
      ['user.created', 'access.changed'],
    ]);
  });

  test('a call to the bus has at most ten events', async () => {
    publishing.bus.calls.length = 0;
    const users = await newUsers(25);
    await Promise.all(users.map((user) => setStatus(user, 'disabled')));
    await allPublished();
    expect(Math.max(...publishing.bus.calls.map((entries) => entries.length))).toBeLessThanOrEqual(10);
  });
});

/** Computes the state of a consumer that keeps the highest version of each user, in any order of events. */
function consume(userId: string): Item | undefined {
  const accesses = eventsOf(userId).filter(({ action }) => action === 'access.changed');
  return accesses
    .map(({ after }) => after as Item)
    .reduce((one, other) => (Number(other.version) > Number(one.version) ? other : one));
}

describe('after a fault every change arrives, and the versions lead a consumer to the state of the table', () => {
  let refused: number;
  const faults: Record<string, () => BusFault> = {
    'the bus is down for a while': () => async (entries, put) => (refused++ < 8 ? undefined : put(entries)),
    'the bus accepts the events, but its response is lost': () => async (entries, put) => {
      const answer = await put(entries);
      return refused++ < 2 ? undefined : answer;
    },
    'the bus first fails one event of each call': () => async (entries, put) => {
      if (refused++ >= 2 || entries.length < 2) return put(entries);
      const { Entries } = await put(entries.slice(1));
      return { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }, ...Entries] };
    },
    'the publisher is killed before it publishes': () => async (entries, put) => {
      if (refused++ > 0) return put(entries);
      await publishing.kill();
      return undefined;
    },
    'the publisher is killed after it published': () => async (entries, put) => {
      const answer = await put(entries);
      if (refused++ === 0) await publishing.kill();
      return answer;
    },
  };

  test.each(Object.entries(faults))(
    'every change arrives, and a consumer reaches the state of the table, when %s',
    async (_, fault) => {
      const user = await newUser();
      refused = 0;
      publishing.bus.fault = fault();
      await change(user, 7);
      await allPublished();
      const { body } = await service.request(['GET', `/api/service/users/${user}/access`]);
      expect(refused).toBeGreaterThan(0);
      expect(consume(user)).toMatchObject({ status: body.status, version: body.version });
      expect(body.version).toBe(7);
    },
  );

  test('only events that the bus did not accept are retried', async () => {
    const user = await newUser();
    await allPublished();
    publishing.bus.calls.length = 0;
    let isFirst = true;
    publishing.bus.fault = async (entries, put) => {
      if (!isFirst) return put(entries);
      isFirst = false;
      return { FailedEntryCount: entries.length, Entries: entries.map(() => ({ ErrorCode: 'ThrottlingException' })) };
    };
    await change(user, 1);
    await allPublished();
    expect(publishing.bus.calls.map((entries) => entries.map(({ Detail }) => JSON.parse(Detail).userId))).toEqual([
      [user],
      [user],
    ]);
    expect(eventsOf(user)).toHaveLength(2);
  });
});

const tooLarge = await chainedChange({ reason: 'x'.repeat(300_000) });

describe('a change that can never be published', () => {
  const notices = () => publishing.events.filter(({ source }) => source === 'auth-service.publisher');
  const noticeOf = async (sk: string) => {
    const find = () => notices().find(({ detail }) => (detail as Item).sk === sk);
    return await eventually(
      async () => find(),
      (found) => found !== undefined,
    );
  };

  const valid = storedChange({ id: 'x', action: 'user.created' });

  test.each([
    ['is malformed', {}, 'Error: The record does not contain a Change'],
    ['has no valid time', { ...valid, at: 'once' }, 'Error: The record does not contain a Change'],
    ['has no valid action', { ...valid, action: 'User created' }, 'Error: The record does not contain a Change'],
    ['has no id', { ...valid, id: '' }, 'Error: The record does not contain a Change'],
    ['has no caller', { ...valid, caller: null }, 'Error: The record does not contain a Change'],
    ['is too large', { ...tooLarge }, 'too large for an event'],
    ['was forged', valid, 'its MAC does not match'],
  ])('a change that %s produces a notice and does not block others', async (what, attributes, reason) => {
    const sk = `CHANGE#${what}`;
    await putItems(service, { pk: 'USER#nobody', sk, ...attributes });
    const user = await newUser();
    const isOut = () => eventsOf(user).length > 0;
    expect(await eventually(async () => isOut(), Boolean)).toBe(true);
    const notice = await noticeOf(sk);
    expect(notice).toMatchObject({
      'detail-type': 'change.unpublishable',
      detail: { pk: 'USER#nobody', sk, reason, sequenceNumber: expect.stringMatching(/^\d+$/) },
    });
    await removeItem(service, ['USER#nobody', sk]);
  });

  test('a change that the bus rejects produces a notice', async () => {
    const user = await newUser();
    await allPublished();
    publishing.bus.fault = async (entries, put) => {
      const isIt = ({ Source, Detail }: PutEntry) => Source === 'auth-service' && JSON.parse(Detail).reason === 'never';
      if (!entries.some(isIt)) return put(entries);
      const Entries = entries.map((entry) =>
        isIt(entry) ? { ErrorCode: 'MalformedDetail' } : { ErrorCode: 'InternalFailure' },
      );
      return { FailedEntryCount: entries.length, Entries };
    };
    await setStatus(user, 'disabled', 'never');
    await setStatus(user, 'enabled', 'soon');
    const isOut = () => eventsOf(user).some(({ reason }) => reason === 'soon');
    expect(await eventually(async () => isOut(), Boolean)).toBe(true);
    expect(notices().at(-1)?.detail).toMatchObject({ pk: `USER#${user}`, reason: 'MalformedDetail' });
    publishing.bus.fault = undefined;
    // Removed, so that the other tests do not wait for it.
    const [refused] = [...(await changesInTable()).values()].filter(({ reason }) => reason === 'never');
    await removeItem(service, [`USER#${user}`, `CHANGE#${refused?.id}`]);
  });

  test('calls to the bus stay below 256 KB', async () => {
    publishing.bus.calls.length = 0;
    const large = (n: number) =>
      chainedChange({ id: `large-${n}`, action: 'user.updated', reason: 'x'.repeat(100_000) });
    const itemOf = async (n: number) => ({ pk: 'USER#large', sk: `CHANGE#large-${n}`, ...(await large(n)) });
    await putItems(service, ...(await Promise.all([1, 2, 3, 4, 5].map(itemOf))));
    await allPublished();
    const sizes = publishing.bus.calls.map((entries) => Buffer.byteLength(JSON.stringify(entries)));
    expect(Math.max(...sizes)).toBeLessThan(257_000);
    expect(details().filter(({ id }) => String(id).startsWith('large-'))).toHaveLength(5);
  });
});

test("the publisher's log contains no person and no reason", () => {
  const text = publishing.logLines.join('\n');
  expect(text).toContain('A change cannot be published');
  for (const unwanted of ['for a reason', 'user-', 'USER#', '@example.com']) expect(text).not.toContain(unwanted);
});
