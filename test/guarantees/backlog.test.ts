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
beforeEach(() => {
  sdk.fault = async (_, send) => {
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
  const { putChangeEntries } = await import('#shared/table/items/change-item.ts');
  const appId = (await newApplication()) as AppId;
  const base = Date.now() - count - 60_000;
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
  return appId;
}

interface Read {
  readonly items: readonly Pick<Change, 'action'>[];
  readonly units: number;
  readonly bytes: number;
}

/** Every page from a cursor to the end, each with what it cost; without one, from the oldest change on. */
async function readAll(appId: AppId, from?: string): Promise<Read[]> {
  const { listChanges } = await import('#shared/domain/history/changes-by-number.ts');
  const pages: Read[] = [];
  for (let after = from, more = true; more; ) {
    units = 0;
    const page = await listChanges({ appId, limit: 100, after, actions: undefined }, operatorContext);
    pages.push({ items: page.items, units, bytes: JSON.stringify(page).length });
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
