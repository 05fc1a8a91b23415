import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StreamRecord } from '#shared/table/items/change-item.ts';
import { type LocalEventBus, serveEventBus } from '../../../../local/eventbridge.ts';
import { chainedChange } from '../../../support/chained-change.ts';
import { type FaultyBus, type PutEntry, serveFaultyBus } from '../../../support/faulty-bus.ts';

interface GivenRecords {
  readonly reasons?: Readonly<Record<string, string>>;
  /** Changes an item after the service wrote it. */
  readonly alter?: (item: Record<string, unknown>) => object;
  /** Seconds since the epoch. */
  readonly createdAt?: number;
}

/** Returns the records of a stream, named by user and number, such as `a1`. */
async function recordsOf(
  names: readonly string[],
  { reasons = {}, alter = (item) => item, createdAt }: GivenRecords = {},
): Promise<StreamRecord[]> {
  return Promise.all(
    names.map(async (name, index) => {
      const [pk, sk] = [`USER#${name.slice(0, 1)}`, `CHANGE#${name}`];
      const change = await chainedChange({ id: name, action: 'user.updated', reason: reasons[name] ?? null });
      const NewImage = marshall(alter({ pk, sk, ...change }), { removeUndefinedValues: true });
      const times = createdAt === undefined ? {} : { ApproximateCreationDateTime: createdAt };
      return { dynamodb: { SequenceNumber: String(100 + index), Keys: marshall({ pk, sk }), NewImage, ...times } };
    }),
  );
}

/** Returns the name of an event's change; that of a notice begins with an exclamation mark. */
function nameOf({ Source, Detail }: PutEntry): string {
  const { id, sk } = JSON.parse(Detail);
  return Source === 'auth-service' ? id : `!${sk.slice('CHANGE#'.length)}`;
}

const batches = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 14 }).map((users) => {
  const counts: Record<string, number> = {};
  return users.map((user) => {
    counts[user] = (counts[user] ?? 0) + 1;
    return `${user}${counts[user]}`;
  });
});

describe('publishChanges', () => {
  let sink: LocalEventBus;
  let bus: FaultyBus;
  let publishChanges: (records: readonly StreamRecord[]) => Promise<string | undefined>;
  beforeAll(async () => {
    sink = await serveEventBus();
    bus = await serveFaultyBus(sink.url);
    process.env.EVENT_BUS_NAME = 'auth-service';
    process.env.AWS_ENDPOINT_URL_EVENTBRIDGE = bus.url;
    ({ publishChanges } = await import('#shared/domain/history/change-publisher.ts'));
  });
  afterAll(async () => {
    await bus.close();
    await sink.close();
  });
  beforeEach(() => {
    bus.calls.length = 0;
    bus.fault = undefined;
  });

  const sent = () => bus.calls.map((entries) => entries.map(nameOf));

  /** Refuses these names as often as given, and accepts everything else. */
  function refuse(times: Record<string, number>, ErrorCode = 'ThrottlingException'): void {
    bus.fault = async (entries) => {
      const Entries = entries.map((entry) => {
        const left = times[nameOf(entry)] ?? 0;
        times[nameOf(entry)] = left - 1;
        return left > 0 ? { ErrorCode } : { EventId: 'accepted' };
      });
      return { FailedEntryCount: Entries.filter(({ EventId }) => EventId === undefined).length, Entries };
    };
  }

  test('publishes a batch in calls of ten, without two changes of one user in a call', async () => {
    const others = Array.from('bcdefghijklm', (user) => `${user}1`);
    expect(await publishChanges(await recordsOf(['a1', 'a2', ...others, 'a3']))).toBeUndefined();
    expect(sent()).toEqual([['a1', ...others.slice(0, 9)], ['a2', ...others.slice(9)], ['a3']]);
  });

  test('a later change of a user waits for one that did not fit into a call', async () => {
    const large = 'x'.repeat(200_000);
    expect(
      await publishChanges(await recordsOf(['a1', 'b1', 'b2', 'c1'], { reasons: { a1: large, b1: large } })),
    ).toBeUndefined();
    expect(sent()).toEqual([['a1', 'c1'], ['b1'], ['b2']]);
  });

  test('a later change of a user waits until the bus accepts the earlier one, while those of others continue', async () => {
    refuse({ a1: 2, b2: 1 });
    expect(await publishChanges(await recordsOf(['a1', 'a2', 'b1', 'b2', 'b3', 'a3']))).toBeUndefined();
    expect(sent()).toEqual([['a1', 'b1'], ['a1', 'b2'], ['a1', 'b2'], ['a2', 'b3'], ['a3']]);
  });

  test('after four refusals of a change, the batch is retried from it, and no later change of the user is published', async () => {
    refuse({ a2: 4 });
    expect(await publishChanges(await recordsOf(['b1', 'a1', 'a2', 'a3', 'c1']))).toBe('102');
    expect(sent()).toEqual([['b1', 'a1', 'c1'], ['a2'], ['a2'], ['a2'], ['a2']]);
  });

  test('the batch is retried from the first unpublished change, even if it was refused less often', async () => {
    refuse({ a2: 4, b1: 4 });
    expect(await publishChanges(await recordsOf(['a1', 'a2', 'b1']))).toBe('101');
    expect(sent()).toEqual([
      ['a1', 'b1'],
      ['a2', 'b1'],
      ['a2', 'b1'],
      ['a2', 'b1'],
    ]);
  });

  test('a call that fails as a whole ends the batch at the first unpublished change', async () => {
    bus.fault = async (entries, put) => (entries.some((entry) => nameOf(entry) === 'a2') ? undefined : put(entries));
    expect(await publishChanges(await recordsOf(['a1', 'b1', 'a2', 'c1', 'a3']))).toBe('102');
    expect(new Set(sent().flat())).toEqual(new Set(['a1', 'b1', 'c1', 'a2']));
  });

  test('a later change of a user waits for the notice that replaces an unpublishable one', async () => {
    refuse({ a1: 1, '!a1': 0 }, 'MalformedDetail');
    expect(await publishChanges(await recordsOf(['a1', 'a2']))).toBeUndefined();
    expect(sent()).toEqual([['a1'], ['!a1'], ['a2']]);
  });

  test('whatever the bus refuses, all changes of each user are published in order', async () => {
    const refusals = fc.infiniteStream(fc.boolean());
    await fc.assert(
      fc.asyncProperty(batches, refusals, async (names, isRefused) => {
        const out: string[] = [];
        bus.calls.length = 0;
        bus.fault = async (entries) => {
          const Entries = entries.map((entry) => {
            if (isRefused.next().value === true) return { ErrorCode: 'InternalFailure' };
            out.push(nameOf(entry));
            return { EventId: 'accepted' };
          });
          return { FailedEntryCount: 0, Entries };
        };
        const records = await recordsOf(names);
        for (let from: string | undefined = '100'; from !== undefined; ) {
          from = await publishChanges(records.slice(Number(from) - 100));
        }
        for (const user of ['a', 'b', 'c']) {
          const first = [...new Set(out)].filter((name) => name.startsWith(user));
          expect(first).toEqual(names.filter((name) => name.startsWith(user)));
        }
      }),
      { numRuns: 10 },
    );
  });

  describe('a record that the service did not write', () => {
    const integrity = { root: 'k1', previous: null, salt: 'S', mac: 'AAAAAAAAAAAAAAAAAAAAAA' };

    test.each<[string, (item: Record<string, unknown>) => object, string]>([
      ['was altered', (item) => ({ ...item, reason: 'another' }), 'its MAC does not match'],
      ['was altered in its state', (item) => ({ ...item, after: { status: 'active' } }), 'its MAC does not match'],
      ['was forged', (item) => ({ ...item, action: 'application.deleted', integrity }), 'its MAC does not match'],
      ['has an empty MAC', (item) => ({ ...item, integrity: {} }), 'its MAC does not match'],
      [
        'has another root',
        (item) => ({ ...item, integrity: { ...integrity, root: 'k9' } }),
        'the service does not have its root key',
      ],
      ['has no MAC', ({ integrity: _, ...item }) => item, 'Error: The record does not contain a Change'],
    ])('and which %s is replaced by a notice, and does not block others', async (_, alter, reason) => {
      const [forged, ...others] = [await recordsOf(['a1'], { alter }), await recordsOf(['a2', 'b1'])].flat();
      expect(await publishChanges([forged as StreamRecord, ...others])).toBeUndefined();
      expect(sent()).toEqual([['!a1', 'b1'], ['a2']]);
      expect(JSON.parse(bus.calls[0]?.[0]?.Detail ?? '')).toMatchObject({ sk: 'CHANGE#a1', reason });
    });

    test('waits, with later ones, while its root may still reach the publisher', async () => {
      const alter = (item: object) => ({ ...item, integrity: { ...integrity, root: 'k2' } });
      const now = Date.now() / 1000;
      const batch = async (createdAt: number) => {
        const [first, , third] = await recordsOf(['a1', 'b1', 'c1']);
        const [, second] = await recordsOf(['a1', 'b1'], { alter, createdAt });
        return publishChanges([first, second, third] as StreamRecord[]);
      };
      expect(await batch(now - 60)).toBe('101');
      expect(sent()).toEqual([['a1']]);
      expect(await batch(now - 1000)).toBeUndefined();
      expect(sent().at(-1)).toEqual(['a1', '!b1', 'c1']);
    });
  });
});
