import type { Change } from '#shared/contract/change.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { type Item, queryItems, readItems } from '#shared/table/client.ts';
import { accessOf, type ChangedAccessItem, listedEndOf } from '#shared/table/items/access-item.ts';
import { type Application, applicationOf } from '#shared/table/items/application-item.ts';
import { type Role, roleOf } from '#shared/table/items/role-item.ts';
import { type User, userItemOf } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import { userAccessesRange } from '#shared/table/keys/access-item-keys.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { isErasure, userChangeKey, userChangesRange } from '#shared/table/keys/change-item-keys.ts';
import { roleKey } from '#shared/table/keys/role-item-keys.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { readGenuineChanges } from './genuine-changes.ts';
import type { RepairRun } from './repair-run.ts';

/** A user has one access for each application. */
const maxPages = 40;

/** Everything in a user's partition that decides, strongly consistent. */
export interface UserFacts {
  readonly userId: UserId;
  readonly item: Item | undefined;
  /** Undefined if there is none, or only a tombstone. */
  readonly user: User | undefined;
  readonly deleting: boolean;
  readonly accesses: readonly ChangedAccessItem[];
  /** The places of accesses in the list of blocks with an end. */
  readonly listedEnds: ReadonlyMap<AppId, string | undefined>;
  /**
   * The newest Changes of this user that the service wrote, oldest first, without those of an erased user with the same id.
   */
  readonly changes: readonly Change[];
  /** Of those, the user's own; begins with the last erasure. */
  readonly ownChanges: readonly Change[];
  /** The Changes of an erased user with the same id, and its accesses. */
  readonly erasedChanges: readonly Key[];
  /** The ids and MACs of the others; they do nothing. */
  readonly forged: ReadonlySet<string>;
}

export async function readUserFacts(userId: UserId, run: RepairRun): Promise<UserFacts> {
  const [[item], accessItems] = await Promise.all([readItems([userKey(userId)]), readAll(userAccessesRange(userId))]);
  // After the states, so that none is newer than its Changes because it was changed in between.
  const { kept, forged, forgedKeys } = await readGenuineChanges(userChangesRange(userId), run);
  const found = userItemOf(item);
  const accesses = accessItems.map(accessOf);
  const listedEnds = new Map(accesses.map(({ appId }, at) => [appId, listedEndOf(accessItems[at] ?? {})]));
  const erasures = kept.filter(({ key }) => isErasure(key)).map(({ change }) => change);
  const mark = item?.erased === true ? String(item.lastChangeId) : '';
  const erasedId = [mark, ...erasures.map(({ id }) => id)].sort().at(-1) ?? '';
  const others = kept.filter(({ key }) => !isErasure(key));
  const changes = others.filter(({ change }) => change.id > erasedId).map(({ change }) => change);
  const isErased = (key: Key) => !isErasure(key) && key.sk <= userChangeKey(userId, erasedId).sk;
  return {
    userId,
    item,
    user: found?.user,
    deleting: found?.deleting ?? false,
    accesses,
    listedEnds,
    changes,
    forged,
    ownChanges: [...erasures.slice(-1), ...changes.filter(({ action }) => action.startsWith('user.'))],
    erasedChanges: [...others.map(({ key }) => key), ...forgedKeys].filter(isErased),
  };
}

/** The items of a range that one request can read. */
async function readAll(range: Parameters<typeof queryItems>[0]): Promise<(Item & Key)[]> {
  const found: (Item & Key)[] = [];
  let after: Item | undefined;
  for (let page = 1; page <= maxPages; page++) {
    const { items, next } = await queryItems(range, { after });
    found.push(...items);
    if (next === undefined) break;
    after = next;
  }
  return found;
}

/** The applications and roles that a user's accesses and their Changes name; those that are gone are missing. */
export async function readOwners({ accesses, changes }: Pick<UserFacts, 'accesses' | 'changes'>) {
  const appIds = [...new Set([...accesses.map(({ appId }) => appId), ...changes.flatMap(appOf)])];
  const roles = new Map<string, readonly [AppId, RoleName]>();
  const add = (appId: AppId, role: RoleName) => roles.set(`${appId} ${role}`, [appId, role]);
  for (const access of accesses) for (const role of Object.keys(access.roles)) add(access.appId, role as RoleName);
  for (const { appId, role } of changes) if (appId && role) add(appId as AppId, role as RoleName);
  const [applicationItems, roleItems] = await Promise.all([
    readItems(appIds.map(applicationKey)),
    readItems([...roles.values()].map(([appId, role]) => roleKey(appId, role))),
  ]);
  return {
    appIds,
    applications: new Map(
      appIds.map((appId, at): [AppId, Application | undefined] => [appId, applicationOf(applicationItems[at])]),
    ),
    roles: new Map([...roles.keys()].map((name, at): [string, Role | undefined] => [name, roleOf(roleItems[at])])),
  };
}
export type Owners = Awaited<ReturnType<typeof readOwners>>;

function appOf({ appId }: Change): AppId[] {
  return appId === undefined ? [] : [appId as AppId];
}
