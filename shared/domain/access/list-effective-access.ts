import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import type { Page } from '#shared/contract/answers.ts';
import { type AppId, maxPageSize } from '#shared/contract/fields.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { now } from '#shared/core/clock.ts';
import { type Item, readItems } from '#shared/table/client.ts';
import { accessOf, accessOrDefault } from '#shared/table/items/access-item.ts';
import { type Application, readExistingApplication } from '#shared/table/items/application-item.ts';
import { readListedUsers, readUsers, type User } from '#shared/table/items/user-item.ts';
import type { Range } from '#shared/table/key.ts';
import { accessKey, applicationUsersRange } from '#shared/table/keys/access-item-keys.ts';
import { inactiveUsersRange, usersRange } from '#shared/table/keys/user-item-keys.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import { cursorAfter, type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { type AccessOfUser, isWantedAccess, viewApplicationUsers, type WantedAccess } from './application-users.ts';
import { decideAccess } from './decide-access.ts';

export interface EffectiveAccessRequest extends Omit<PageRequest, 'list'>, WantedAccess {
  readonly appId: AppId;
}

/** The parts of a list, read one after the other: users with a status of their own, inactive users, or all users. */
type Part = 'own' | 'inactive' | 'all';

/**
 * The users by effective status, including users for whom the application stores nothing. One request examines a bounded
 * number of items in each part of the list, so a page may be short or empty with more to follow.
 */
export async function listEffectiveAccess(request: EffectiveAccessRequest): Promise<Page<ApplicationUserView>> {
  const application = await readExistingApplication(request.appId);
  const parts = partsOf(request, application);
  const [name = '', inner] = request.cursor?.split(/\.(.*)/s) ?? [parts[0]];
  let at = parts.indexOf(name as Part);
  if (at < 0) throw foreignCursor();
  let cursor = inner || undefined;
  const found: AccessOfUser[] = [];
  for (let part = parts[at]; part !== undefined && found.length < request.limit; part = parts[at]) {
    const page = await readMatching(part, { ...request, cursor, limit: request.limit - found.length }, application);
    found.push(...page.found);
    cursor = page.cursor;
    if (cursor !== undefined) break;
    at += 1;
  }
  const next = parts[at];
  return {
    items: await viewApplicationUsers(application, found),
    cursor: next === undefined ? null : `${next}.${cursor ?? ''}`,
  };
}

/** All users are examined only if a rollout or the default may decide. */
function partsOf({ effectiveStatus, decidedBy }: EffectiveAccessRequest, { rolloutPercent }: Application): Part[] {
  if (decidedBy === 'user') return ['inactive'];
  if (decidedBy === 'explicit' || decidedBy === 'lapsed') return ['own'];
  if (decidedBy === undefined && effectiveStatus === 'disabled' && rolloutPercent >= fullRollout) {
    return ['own', 'inactive'];
  }
  return ['all'];
}

function rangeOf(part: Part, { appId, effectiveStatus }: EffectiveAccessRequest): Range {
  if (part === 'inactive') return inactiveUsersRange('');
  if (part === 'all') return usersRange('');
  const isBlocked = effectiveStatus === 'disabled';
  return applicationUsersRange(appId, isBlocked ? { attribute: 'status', value: 'disabled' } : undefined);
}

/** The most queries for a page of users with a status of their own; each examines up to 2,500, few of whom may be blocked. */
const maxQueries = 4;

/** The most batches of users whose accesses are read for a page of all users. */
const maxBatches = 5;

interface Match {
  readonly item: Item;
  readonly read: AccessOfUser;
}

/** The matches of a page, and the cursor after the last match or the last examined item; undefined at the end. */
async function readMatching(part: Part, request: EffectiveAccessRequest, application: Application) {
  const { limit, appId, effectiveStatus, decidedBy } = request;
  const range = rangeOf(part, request);
  const list = JSON.stringify([part, appId, effectiveStatus, decidedBy]);
  const matches: Match[] = [];
  let { cursor } = request;
  for (let batch = 1; batch <= (part === 'all' ? maxBatches : 1); batch++) {
    const page = await readPage(range, { limit: maxPageSize, cursor, list, queries: maxQueries });
    const matching = await matchesOf(part, request, { application, items: page.items });
    matches.push(...matching);
    cursor = page.more ? page.position : undefined;
    if (cursor === undefined || matches.length >= limit) break;
  }
  const shown = matches.slice(0, limit);
  const last = matches.length > limit ? shown.at(-1) : undefined;
  return { found: shown.map(({ read }) => read), cursor: last ? cursorAfter(range, list, last.item) : cursor };
}

interface ReadItems {
  readonly application: Application;
  readonly items: readonly Item[];
}

async function matchesOf(part: Part, request: EffectiveAccessRequest, { application, items }: ReadItems) {
  const reads = await readAccesses(part, request.appId, items);
  return items.flatMap((item, n): Match[] => {
    const read = reads[n];
    return read !== undefined && isWanted(read, part, { ...request, application }) ? [{ item, read }] : [];
  });
}

/** In the order of the items; undefined for a user who no longer exists. */
async function readAccesses(part: Part, appId: AppId, items: readonly Item[]): Promise<(AccessOfUser | undefined)[]> {
  if (part === 'own') {
    const accesses = items.map(accessOf);
    const users = await readUsers(accesses.map(({ userId }) => userId));
    return accesses.map((access) => join(users.get(access.userId), access));
  }
  const users = await readListedUsers(items);
  const keys = users.flatMap((user) => (user === undefined ? [] : [accessKey(user.userId, appId)]));
  const stored = await readItems(keys);
  return users.map((user) => user && join(user, accessOrDefault(stored.shift(), user.userId, appId)));
}

function join(user: User | undefined, access: AccessOfUser['access']): AccessOfUser | undefined {
  return user && { user, access };
}

/** Inactive users are listed in their own part only, even if they have a status of their own. */
function isWanted(
  read: AccessOfUser,
  part: Part,
  { application, ...wanted }: EffectiveAccessRequest & { readonly application: Application },
): boolean {
  const { decidedBy } = decideAccess({ application, ...read }, now());
  if (part === 'own' && (decidedBy === 'user' || read.access.status === null)) return false;
  if (part === 'inactive' && decidedBy !== 'user') return false;
  return isWantedAccess(read, application, wanted);
}
