import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { putItems } from '../support/alter-item.ts';
import { newApplication } from '../support/new-application.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { operatorContext, storedChange } from '../support/stored-items.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

/*
 * What a follower costs that has much to read: because nothing is numbered, which here nothing does by itself, or because it was
 * away. Units are those that DynamoDB states.
 */

let service: TestService;
let sdk: WatchedSdk;
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
});
afterAll(() => service.stop());

let units = 0;
let requests = 0;
beforeEach(() => {
  sdk.fault = async (_, send) => {
    requests += 1;
    const answer = (await send()) as { output: { ConsumedCapacity?: Capacity | readonly Capacity[] } };
    const consumed = [answer.output.ConsumedCapacity ?? []].flat();
    units += consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    return answer;
  };
});
interface Capacity {
  readonly CapacityUnits?: number;
}

const perUser = 4;
/** The creation of the application. */
const created = 1;

/** An application with as many changes, all of them pending: four of each user. */
async function applicationWith(count: number): Promise<AppId> {
  const appId = (await newApplication()) as AppId;
  await addChanges(appId, count, Date.now() - count - 60_000);
  return appId;
}

/** Adds as many pending changes, one in each millisecond from this time on. */
async function addChanges(appId: AppId, count: number, base: number): Promise<void> {
  const { putChangeEntries } = await import('#shared/table/items/change-item.ts');
  const changes = Array.from({ length: count }, (_, n) => {
    const at = new Date(base + n);
    const userId = `user-${n % (count / perUser)}`;
    return {
      ...storedChange({ before: { version: 1 }, after: { version: 2 } }),
      id: lowestUlid(at),
      at: at.toISOString(),
      userId,
      appId,
    };
  });
  await putItems(
    service,
    ...changes.flatMap((change) => putChangeEntries(change).map(({ Put }) => ({ ...Put?.Item }))),
  );
}

interface Read {
  readonly items: readonly Pick<Change, 'action'>[];
  readonly units: number;
  readonly requests: number;
  readonly omitted: number;
  readonly bytes: number;
  readonly cursor: string;
}

interface ReadFrom {
  readonly from?: string | undefined;
  readonly pending?: 'new';
}

/** Every page from a cursor to the end, each with what it cost; without one, from the oldest change on. */
async function readAll(appId: AppId, { from, pending }: ReadFrom = {}): Promise<Read[]> {
  const { listChanges } = await import('#shared/domain/history/changes-by-number.ts');
  const pages: Read[] = [];
  for (let after = from, more = true; more; ) {
    [units, requests] = [0, 0];
    const page = await listChanges({ appId, limit: 100, after, actions: undefined, pending }, operatorContext);
    const { items, omitted = 0, cursor } = page;
    pages.push({ items, units, requests, omitted, bytes: JSON.stringify(page).length, cursor });
    ({ cursor: after, more } = page);
  }
  return pages;
}

const sumOf = (pages: readonly Read[]) => pages.reduce((sum, page) => sum + page.units, 0);
const most = (pages: readonly Read[], of: (page: Read) => number) => Math.max(...pages.map(of));

describe('while numbering stands still', () => {
  test('a follower reads each pending change once: ten times as many cost ten times as much', async () => {
    const [few, many] = [await readAll(await applicationWith(200)), await readAll(await applicationWith(2000))];
    expect(many.flatMap(({ items }) => items)).toHaveLength(2000 + created);
    expect(sumOf(many) / sumOf(few)).toBeLessThanOrEqual(11);
    // One for each change of the page, and a few for its place in the feeds.
    expect(most(many, (page) => page.units)).toBeLessThanOrEqual(110);
    expect(most(many, ({ bytes }) => bytes)).toBeLessThan(50_000);
  });

  test('a replica reads what it has not seen: at 50,000 pending and 100 changes a second it is at most 5 s old', async () => {
    const pending = 'new';
    const appId = await applicationWith(2200);
    const cursor = (await readAll(appId, { pending })).at(-1)?.cursor;
    const idle = await readAll(appId, { from: cursor, pending });
    expect(idle.flatMap(({ items }) => items)).toHaveLength(0);
    await addChanges(appId, 40, Date.now());
    const busy = await readAll(appId, { from: idle.at(-1)?.cursor, pending });
    const found = busy.flatMap(({ items }) => items);
    expect(found).toHaveLength(40);
    // Those that it has seen are counted: some 35 of them in a unit, because their ids are short.
    expect(sumOf(busy) - found.length).toBeLessThanOrEqual(100);
    expect(most(idle, (page) => page.units)).toBeLessThanOrEqual(80);
    // If each request takes 10 ms, so long takes a walk. Before its end, the data is as old as this walk, the one before and a pause.
    const [full = { omitted: 0, requests: 0 }] = busy.toSorted((one, other) => other.omitted - one.omitted);
    const walk = (50_000 / full.omitted) * full.requests * 0.01;
    expect(walk + 1 + walk).toBeLessThanOrEqual(5);
  });
});

describe('a follower that was away', () => {
  test('reads each block once: beside the changes, a few units a page', async () => {
    const { numberFeed } = await import('#shared/domain/history/feed-numbers.ts');
    const appId = await applicationWith(1000);
    await numberFeed(appId);
    const pages = await readAll(appId);
    expect(pages.flatMap(({ items }) => items)).toHaveLength(1000 + created);
    const beside = pages.map(({ items, units }) => units - items.length);
    // The first page looks for the oldest block that is kept; each other one reads two blocks of the own feed.
    expect(beside[0]).toBeLessThanOrEqual(25);
    expect(Math.max(...beside.slice(1))).toBeLessThanOrEqual(8);
  });
});
