import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { RepairedList } from '#shared/domain/request/option-repair.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { type Item, queryItems, readItems, withOlderFormat } from '#shared/table/client.ts';
import { ownerOf } from '#shared/table/items/access-item.ts';
import { appIdOf, readApplicationItem } from '#shared/table/items/application-item.ts';
import { raiseFormatEntry } from '#shared/table/items/format-item.ts';
import { memberOf, roleNameOf } from '#shared/table/items/role-item.ts';
import type { Key, Range } from '#shared/table/key.ts';
import { accessEntriesRange } from '#shared/table/keys/access-item-keys.ts';
import { applicationsRange } from '#shared/table/keys/application-item-keys.ts';
import { applicationChangesRange } from '#shared/table/keys/change-item-keys.ts';
import { countersRange } from '#shared/table/keys/counters-item-keys.ts';
import { type FeedName, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { membersRange, rolesRange } from '#shared/table/keys/role-item-keys.ts';
import { userEntryKey } from '#shared/table/keys/user-item-keys.ts';
import { scanItems } from '#shared/table/scan-items.ts';
import type { Repair } from '../contract/table-repair.ts';
import { placeAttributes } from '../table/place-attributes.ts';
import { decodeRepairCursor, encodeRepairCursor, type RepairPlace } from '../table/repair-cursor.ts';
import { newestChanges } from './compare-chain.ts';
import { registeredRepairs } from './registered-repairs.ts';
import { repairApplication } from './repair-application.ts';
import { type Counted, removeForeignCounters, repairCounters } from './repair-counters.ts';
import { repairFeed } from './repair-feed.ts';
import { ownersOf, repairIndexEntries, usersOf } from './repair-found.ts';
import { repairAccessEntries, repairMembers } from './repair-lists.ts';
import { repairResource } from './repair-resource.ts';
import { RepairRun } from './repair-run.ts';
import { repairUser } from './repair-user.ts';

export interface RepairRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** See `repairOperation`. */
  readonly restartFeeds?: string | undefined;
}

type Found = Item & Key;

/** A list to go through, or the whole table, and what is done with a page of it. */
interface Step {
  readonly range: Range | 'table';
  readonly repair: (items: readonly Found[], run: RepairRun, after: Key | undefined) => Promise<unknown>;
  /** The lists of each item, which are gone through one after the other. Default: none. */
  readonly partsOf?: (item: Found) => Promise<readonly Step[]>;
  /** Whose counters are compared for the items. Default: none. */
  readonly countedOf?: (items: readonly Found[], isFirst: boolean) => readonly Counted[];
}

/**
 * Repairs a page of the table. Applications come before the users who have access to them, states before the lists that are
 * derived from them, and the feeds at the end, with what the repair itself has changed. It finds users, applications and
 * the resources of options by the table itself, whatever lists say: a scan reads the keys of all items, and no other attribute. At the end, the
 * table has the format of this version.
 */
export function repairTable(request: RepairRequest, context: RequestContext): Promise<Repair> {
  return withOlderFormat(() => repairPages(request, context));
}

async function repairPages(request: RepairRequest, context: RequestContext): Promise<Repair> {
  if (request.restartFeeds !== undefined && Date.parse(request.restartFeeds) > now().getTime()) {
    throw invalidField('restartFeeds', 'must not be in the future');
  }
  const run = new RepairRun(context);
  const steps = stepsOf(request);
  const { limit, cursor } = request;
  let place: RepairPlace = cursor === undefined ? [0, null, 0, null, null] : decodeRepairCursor(cursor);
  let checked = 0;
  while (checked < limit && run.hasTime()) {
    const step = steps[place[0]];
    if (step === undefined) break;
    const done = await repairPage(step, place, Math.min(pageSize, limit - checked), run);
    if (run.isCut) break;
    checked += done.checked;
    place = done.place;
  }
  const isOver = steps[place[0]] === undefined;
  if (isOver) await raiseFormat(run);
  return { checked, findings: run.findings, cursor: isOver ? null : encodeRepairCursor(place) };
}

async function raiseFormat(run: RepairRun): Promise<void> {
  const entry = await raiseFormatEntry();
  if (entry !== undefined) await run.repair('table-format', {}, [entry]);
}

/** What a request can complete even if each needs many writes. */
const pageSize = 20;

async function repairPage(step: Step, place: RepairPlace, limit: number, run: RepairRun) {
  const [number, after, part] = place;
  const isNested = step.partsOf !== undefined || step.countedOf !== undefined;
  const { items, next } = await readFound(step.range, isNested ? 1 : limit, after ?? undefined);
  const following: RepairPlace =
    next === undefined ? [number + 1, null, 0, null, null] : [number, keyOf(next), 0, null, null];
  const [item] = items;
  const counted = step.countedOf?.(items, after === null)[part];
  if (counted !== undefined) return countPage(counted, place, run);
  const list = item && (await step.partsOf?.(item))?.[part];
  if (list !== undefined) return repairListPage(list, place, limit, run);
  await step.repair(items, run, keyAfter(after));
  return { checked: items.length, place: following };
}

async function readFound(range: Step['range'], limit: number, after: Item | undefined) {
  if (range !== 'table') return queryItems(range, { limit, after });
  const { items, next } = await scanItems(placeAttributes, after, limit);
  return { items: items as Found[], next };
}

function keyAfter(after: Item | null): Key | undefined {
  return after === null ? undefined : { pk: String(after.pk), sk: String(after.sk) };
}

async function repairListPage(list: Step, [step, after, part, partAfter]: RepairPlace, limit: number, run: RepairRun) {
  const page = await readFound(list.range, limit, partAfter ?? undefined);
  await list.repair(page.items, run, keyAfter(partAfter));
  const place: RepairPlace =
    page.next === undefined ? [step, after, part + 1, null, null] : [step, after, part, keyOf(page.next), null];
  return { checked: page.items.length, place };
}

async function countPage(of: Counted, [step, after, part, , before]: RepairPlace, run: RepairRun) {
  const { checked, count } = await repairCounters(of, before ?? undefined, run);
  const place: RepairPlace =
    count === undefined ? [step, after, part + 1, null, null] : [step, after, part, null, count];
  return { checked, place };
}

function keyOf(item: Item): Record<string, string> {
  return item as Record<string, string>;
}

function stepsOf({ restartFeeds }: RepairRequest): readonly Step[] {
  return [
    { range: 'table', repair: repairOwners },
    {
      range: 'table',
      repair: async (items, run, after) => {
        await repairUsers(await usersOf(items, after), run);
        await repairUnlistedFeeds(ownersOf(items, after).feeds, restartFeeds, run);
      },
    },
    { range: applicationsRange(), repair: async () => undefined, partsOf: listsOf },
    ...registeredRepairs.flatMap(({ lists = [] }) => lists).map(listsStep),
    {
      range: applicationsRange(),
      repair: (items, run, after) => repairFeeds(feedsOf(items, after === undefined), restartFeeds, run),
    },
    // The state and the feeds are right by now.
    { range: applicationsRange(), repair: async () => undefined, countedOf: feedsOf },
    {
      range: countersRange(),
      repair: (items, run) =>
        removeForeignCounters(
          items.map(({ sk }) => sk as FeedName),
          run,
        ),
    },
  ];
}

/** The feeds of a page of applications; that of the users comes first. */
function feedsOf(applications: readonly Found[], isFirst: boolean): readonly Counted[] {
  return [...(isFirst ? [usersFeed as typeof usersFeed] : []), ...applications.map(appIdOf)];
}

async function repairApplications(appIds: readonly AppId[], run: RepairRun): Promise<void> {
  await mapConcurrently(appIds, (appId) => repairApplication(appId, run));
}

async function repairUsers(userIds: readonly UserId[], run: RepairRun): Promise<void> {
  await mapConcurrently(userIds, (userId) => repairUser(userId, run));
}

async function repairUnlistedUsers(userIds: readonly UserId[], run: RepairRun): Promise<void> {
  const listed = await readItems(userIds.map(userEntryKey));
  await repairUsers(
    userIds.filter((_, at) => listed[at] === undefined),
    run,
  );
}

/** Applications, the resources of options, and what the indexes have. */
async function repairOwners(items: readonly Found[], run: RepairRun, after: Key | undefined) {
  const { appIds, resources } = ownersOf(items, after);
  await repairApplications(appIds, run);
  await mapConcurrently(resources, ([resource, id]) => repairResource(resource, id, run));
  await repairIndexEntries(items, run);
}

/**
 * Feeds of deleted applications, which no list names. A scan can find a feed before its application, whose deletion may be
 * what the run itself applies: so all applications are repaired before.
 */
async function repairUnlistedFeeds(feeds: readonly AppId[], restartFeeds: string | undefined, run: RepairRun) {
  const applications = await Promise.all(feeds.map(readApplicationItem));
  const unlisted = feeds.filter((_, at) => applications[at] === undefined || applications[at].deleted);
  await repairFeeds(unlisted, restartFeeds, run);
}

async function repairFeeds(
  feeds: readonly FeedName[],
  restartFeeds: string | undefined,
  run: RepairRun,
): Promise<void> {
  for (const feed of feeds) await repairFeed(feed, restartFeeds, run);
}

/** An application's list of users, and the members of each of its roles. */
async function listsOf(item: Found): Promise<readonly Step[]> {
  const appId = appIdOf(item);
  const [{ items: defined }, { items: changed }] = await Promise.all([
    queryItems(rolesRange(appId), {}),
    queryItems(applicationChangesRange(appId, { descending: true }), { limit: newestChanges }),
  ]);
  const named = changed.flatMap(({ role }) => (typeof role === 'string' ? [role as RoleName] : []));
  const roles = [...new Set([...defined.map(roleNameOf), ...named])].sort();
  return [
    listStep(accessEntriesRange(appId), ownerOf, (entries, run) => repairAccessEntries(appId, entries, run)),
    ...roles.map((role) =>
      listStep(
        membersRange(appId, role),
        (member) => memberOf(member).userId,
        (members, run) => repairMembers(appId, role, members, run),
      ),
    ),
  ];
}

/** A list of an option. */
function listsStep({ range, partsOf }: RepairedList): Step {
  return { range, repair: async () => undefined, partsOf };
}

/** A list of users: users who are only in it are repaired first. */
function listStep(range: Range, userOf: (item: Found) => UserId, repair: Step['repair']): Step {
  return {
    range,
    repair: async (items, run, after) => {
      await repairUnlistedUsers(items.map(userOf), run);
      await repair(items, run, after);
    },
  };
}
