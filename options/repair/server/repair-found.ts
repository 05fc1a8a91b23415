import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { isGenuine } from '#shared/domain/history/verify-changes.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { RepairedResource } from '#shared/domain/request/option-repair.ts';
import { type Item, readItems } from '#shared/table/client.ts';
import { updateEntry } from '#shared/table/expression.ts';
import { isInPlace, placeInIndexes, readableChangeOf } from '#shared/table/items/change-item.ts';
import type { Key } from '#shared/table/key.ts';
import { accessIndexKey } from '#shared/table/keys/access-item-keys.ts';
import { applicationIndexKey } from '#shared/table/keys/application-item-keys.ts';
import { historyIndexKey, isChangeKey } from '#shared/table/keys/change-item-keys.ts';
import { type FeedName, isUserFeed } from '#shared/table/keys/feed-item-keys.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { repairedResources } from './registered-repairs.ts';
import type { RepairRun } from './repair-run.ts';

/** Where an item is in the table, and in its indexes. */
export type Place = Key & Readonly<Record<string, unknown>>;

/** Whose items are on a page of the table, each once and without those of the page before. */
export interface Owners {
  readonly appIds: readonly AppId[];
  readonly resources: readonly (readonly [resource: RepairedResource, id: string])[];
  readonly feeds: readonly AppId[];
}

/** The applications, and the resources of options, to which the partitions of a page belong. */
export function ownersOf(places: readonly Place[], after: Key | undefined): Owners {
  const partitions = [...new Set(places.map(({ pk }) => pk))].filter((pk) => pk !== after?.pk);
  const named = (...kinds: readonly string[]) => [
    ...new Set(
      partitions.flatMap((pk) => {
        const [kind = '', id] = pk.split('#');
        return id !== undefined && kinds.includes(kind) ? [id] : [];
      }),
    ),
  ];
  return {
    appIds: named('APP') as AppId[],
    resources: repairedResources.flatMap((resource) =>
      named(...resource.partitions).map((id) => [resource, id] as const),
    ),
    feeds: named('FEED').filter((feed) => !isUserFeed(feed as FeedName)) as AppId[],
  };
}

/** The users whose partitions are on a page, and users that a list names but who have no item. */
export async function usersOf(places: readonly Place[], after: Key | undefined): Promise<readonly UserId[]> {
  const listed = places.filter(({ pk }) => lists.includes(pk)).map(({ sk }) => sk as UserId);
  const partitions = new Set(places.map(({ pk }) => pk).filter((pk) => pk.startsWith('USER#') && pk !== after?.pk));
  const found = [...partitions].map((pk) => pk.slice('USER#'.length) as UserId);
  const distinct = [...new Set(listed)].filter((userId) => !found.includes(userId));
  const items = await readItems(distinct.map(userKey));
  return [...found, ...distinct.filter((_, at) => items[at] === undefined)];
}

const lists: readonly string[] = ['USERS', 'USERS#INACTIVE', 'USERS#ERASED'];

/**
 * Puts what a page has into the indexes where it belongs: changes, and what lists of applications, accesses and the resources of options
 * have. Without its place, a change is in no history and no feed, and an application is never repaired.
 */
export async function repairIndexEntries(places: readonly Place[], run: RepairRun): Promise<void> {
  const wrong = places.filter((place) => (isChangeKey(place) ? !isListed(place) : !isSame(place, ownPlaceOf(place))));
  const items = await readItems(wrong.map(({ pk, sk }) => ({ pk, sk })));
  const found = items.flatMap((item, at) => (item === undefined ? [] : [{ ...item, ...keyOf(wrong[at]) }]));
  await mapConcurrently(found, (item) => repairIndexEntry(item, run));
}

/** As far as its key says; a change that no feed has is in one index only, and is read to find out. */
function isListed({ sk, gsi1sk, gsi2pk, gsi2sk }: Place): boolean {
  const id = sk.split('#').at(-1) ?? '';
  return gsi1sk === id && isSame({ gsi2pk, gsi2sk }, historyIndexKey(id));
}

function keyOf(place: Place | undefined): Key {
  return { pk: place?.pk ?? '', sk: place?.sk ?? '' };
}

async function repairIndexEntry(item: Item & Key, run: RepairRun): Promise<void> {
  const { pk, sk } = item;
  if (item.deleting === true) return;
  const { by, ...wanted } = (isChangeKey(item) ? await placeOfChange(item) : ownPlaceOf(item)) ?? {};
  if (isSame(item, wanted)) return;
  const equals = Object.fromEntries(
    ['id', 'version'].flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])),
  );
  const entry = updateEntry({ key: { pk, sk }, set: { ...wanted, ...(by !== undefined && { by }) }, equals });
  await run.repair('index-entry', subjectOf(item), [entry]);
}

/** What somebody else wrote gets no place in a history. */
async function placeOfChange(item: Item & Key): Promise<Item | undefined> {
  const change = readableChangeOf(item);
  const isWritten = change !== undefined && isInPlace(change, item) && (await isGenuine(change));
  return isWritten ? placeInIndexes(change, item) : undefined;
}

/** The place of an item other than a change; undefined if it has none. */
function ownPlaceOf({ pk, sk }: Key): Item | undefined {
  const [kind, id = ''] = pk.split('#');
  if (kind === 'APP' && sk === 'APP') return { ...applicationIndexKey(id as AppId) };
  if (kind === 'USER' && sk.startsWith('ACCESS#')) {
    return { ...accessIndexKey(id as UserId, sk.slice('ACCESS#'.length) as AppId) };
  }
  const resource = repairedResources.find(({ partitions, keyOf }) => partitions[0] === kind && keyOf(id).sk === sk);
  return resource?.indexKeyOf(id);
}

function isSame(item: Item, wanted: Item | undefined): boolean {
  return Object.entries(wanted ?? {}).every(([name, value]) => item[name] === value);
}

function subjectOf(item: Item) {
  const { id, userId, appId, connectionId } = item as Partial<Change>;
  return {
    ...(userId && { userId }),
    ...(appId && { appId }),
    ...(connectionId && { connectionId }),
    ...(id && { changeId: id }),
  };
}
