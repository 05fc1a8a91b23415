import * as v from 'valibot';
import { accessFields } from '#shared/contract/access-fields.ts';
import { accessStatuses } from '#shared/contract/access-statuses.ts';
import type { Change } from '#shared/contract/change.ts';
import { fieldEntries, unsetFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { type Item, inBatches, readTogether, type TransactEntry } from '../client.ts';
import { deleteEntry, putEntry, updateEntry } from '../expression.ts';
import { absentText, chainHead, mapSchema, nullableText, parseItem, storedId } from '../item-schema.ts';
import type { Key } from '../key.ts';
import { accessEntryKey, accessIndexKey, accessKey, blockEndIndexKey } from '../keys/access-item-keys.ts';
import { applicationKey } from '../keys/application-item-keys.ts';
import { userKey } from '../keys/user-item-keys.ts';
import { type Application, applicationOf, GuardedApplication } from './application-item.ts';
import { type User, userOf } from './user-item.ts';

const grantSchema = v.object({
  /** Not before the role was defined, which distinguishes it from a grant of a deleted role of the same name. */
  grantedAt: v.string(),
  /** `null` if it does not expire. An expired grant has no effect. */
  expiresAt: nullableText,
  /** The id of the Change that assigned the role. Grants that were made before it was stored lack it. */
  changeId: absentText,
  /** Whether a group of a directory gave it, and nobody has assigned the role since. Absent from grants that are older. */
  fromGroup: v.optional(v.boolean()),
});

/** A role assigned to a user. */
export type Grant = Readonly<v.InferOutput<typeof grantSchema>>;

const accessItemSchema = v.object({
  userId: storedId<UserId>(),
  appId: storedId<AppId>(),
  /** `null` if none is set. */
  status: v.nullable(v.picklist(accessStatuses)),
  ...fieldEntries(accessFields, 'stored'),
  /** The id of the Change that set the status; `null` if none is set. */
  statusChangeId: nullableText,
  /** By role name. */
  roles: mapSchema(grantSchema),
  /** Incremented by every change. */
  version: v.number(),
  updatedAt: v.string(),
  /** When the user was created, which distinguishes the user from an erased one with the same id. */
  userCreatedAt: v.string(),
  /** The id of the last Change. */
  lastChangeId: v.string(),
  chainHead,
});

/** An access that has been changed at least once. */
export type ChangedAccessItem = Readonly<v.InferOutput<typeof accessItemSchema>>;

type FirstChange = 'updatedAt' | 'userCreatedAt' | 'lastChangeId' | 'chainHead';

/**
 * The stored access of one user in one application; `decideAccess` derives the effective one. Without an item the version
 * is 0, and the attributes that the first change sets are `null`.
 */
export type StoredAccess = Omit<ChangedAccessItem, FirstChange> & {
  readonly [Name in FirstChange]: ChangedAccessItem[Name] | null;
};

/** The access of an item. */
export function accessOf(item: Item): ChangedAccessItem {
  return parseItem(accessItemSchema, item);
}

const grantedRolesSchema = v.object({
  userId: storedId<UserId>(),
  appId: storedId<AppId>(),
  status: v.fallback(v.nullable(v.string()), null),
  until: v.fallback(v.nullable(v.string()), null),
  roles: v.pipe(
    v.custom<Readonly<Record<string, unknown>>>((roles) => typeof roles === 'object' && roles !== null),
    v.transform((roles) => Object.keys(roles) as RoleName[]),
  ),
});

/** The user, application, roles and block of an access: all that deleting it requires, even if the rest of the item is damaged. */
export function grantedRolesOf(item: Item): v.InferOutput<typeof grantedRolesSchema> {
  return parseItem(grantedRolesSchema, item);
}

/** Whether an access is a block without an end, which the counters of its application count. */
export function isBlockedOpenly({ status, until }: { readonly status: unknown; readonly until: unknown }): boolean {
  return status === 'disabled' && until === null;
}

/** The access of an item, or the default access if there is no item. */
export function accessOrDefault(item: Item | undefined, userId: UserId, appId: AppId): StoredAccess {
  if (item !== undefined) return accessOf(item);
  return {
    userId,
    appId,
    status: null,
    ...unsetFields(accessFields),
    roles: {},
    version: 0,
    updatedAt: null,
    statusChangeId: null,
    userCreatedAt: null,
    lastChangeId: null,
    chainHead: null,
  };
}

/** The grants that have not expired, ordered by role. */
export function liveGrants(access: StoredAccess, at: Date): [string, Grant][] {
  return Object.entries(access.roles)
    .filter(([, grant]) => !hasPassed(grant.expiresAt, at))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Whether an access is the default: it has no explicit status, and no grant that has not expired. */
export function isDefaultAccess(access: StoredAccess, at: Date): boolean {
  return access.status === null && liveGrants(access, at).length === 0;
}

/**
 * Writes the next version of an access with its Change, if the stored version is still the one that was read. The first
 * version also gets an entry, by which its application finds it.
 */
export function updateAccessEntries(
  read: StoredAccess,
  next: StoredAccess,
  { id, integrity }: Change,
): TransactEntry[] {
  const { userId, appId, version } = read;
  const last = { lastChangeId: id, chainHead: integrity.mac };
  const end = blockEndOf(next);
  const update = updateEntry({
    key: accessKey(userId, appId),
    set: { ...next, ...last, ...accessIndexKey(userId, appId), ...end },
    ...(end === undefined && blockEndOf(read) !== undefined && { remove: blockEndAttributes }),
    ...(version === 0 ? { absent: ['version'] } : { equals: { version } }),
  });
  return version === 0 ? [update, putEntry({ ...accessEntryKey(appId, userId), userId })] : [update];
}

/** The place of a block in the list of those with an end; undefined for any other access. */
function blockEndOf(access: StoredAccess) {
  return access.status === 'disabled' && access.until !== null ? blockEndIndexKey(access.until, access) : undefined;
}

const blockEndAttributes = ['gsi2pk', 'gsi2sk'];

/** The place of the item of an access in the list of blocks with an end. */
export function listedEndOf({ gsi2sk }: Item): string | undefined {
  return typeof gsi2sk === 'string' ? gsi2sk : undefined;
}

/** Lists a block by its end, or not, as its access of this version says; undefined if it is listed right. */
export function repairBlockEndEntry(access: ChangedAccessItem, listed: string | undefined): TransactEntry | undefined {
  const end = blockEndOf(access);
  if (end?.gsi2sk === listed) return undefined;
  const { userId, appId, version } = access;
  const key = accessKey(userId, appId);
  const place = end === undefined ? { set: {}, remove: blockEndAttributes } : { set: end };
  return updateEntry({ key, ...place, equals: { version } });
}

/** Deletes an access of this version with the entry by which its application finds it. */
export function deleteAccessEntries({ userId, appId }: AccessSubject, version: number): TransactEntry[] {
  return [deleteEntry(accessEntryKey(appId, userId)), deleteEntry(accessKey(userId, appId), { equals: { version } })];
}

/** Deletes an access, which must exist but may be damaged, with the entry by which its application finds it. */
export function eraseAccessEntries({ userId, appId }: AccessSubject): TransactEntry[] {
  const key = accessKey(userId, appId);
  return [deleteEntry(accessEntryKey(appId, userId)), deleteEntry(key, { equals: { pk: key.pk } })];
}

const ownerSchema = v.object({ userId: storedId<UserId>() });

/** The user of an access, read from the access or from its application's entry. */
export function ownerOf(item: Item): UserId {
  return parseItem(ownerSchema, item).userId;
}

/** All facts that decide about one user in one application. */
export interface CurrentAccess {
  readonly application: GuardedApplication;
  readonly user: User | undefined;
  readonly access: StoredAccess;
  /** The further items that were requested, in their order. */
  readonly extraItems: readonly (Item | undefined)[];
}

export interface AccessSubject {
  readonly userId: UserId;
  readonly appId: AppId;
}

export interface CurrentAccessRequest extends AccessSubject {
  /** Further items that the decision needs, such as a role's definition. */
  readonly extraKeys?: readonly Key[] | undefined;
  /** The application if it is already known; it is not read again. */
  readonly application?: Application | undefined;
}

/** Reads them in one strongly consistent request; repeats it if the user was erased and created again during the request. */
export async function readCurrentAccess(request: CurrentAccessRequest): Promise<CurrentAccess> {
  for (let attempt = 1; attempt <= maxReads; attempt++) {
    const current = await readOnce(request);
    if (belongsTogether(current)) return current;
  }
  throw new ServiceError('unavailable', { detail: 'The user is being created again. Try again.' });
}

const maxReads = 3;

/** DynamoDB does not read the items of a request at the same instant, so the access may be that of an earlier user. */
export function belongsTogether({ user, access: { userCreatedAt } }: UserAccess): boolean {
  return user === undefined || userCreatedAt === null || userCreatedAt === user.createdAt;
}

async function readOnce(request: CurrentAccessRequest): Promise<CurrentAccess> {
  const { userId, appId, application: known } = request;
  const keys = [userKey(userId), accessKey(userId, appId)];
  if (known === undefined) keys.unshift(applicationKey(appId));
  keys.push(...(request.extraKeys ?? []));
  const items = await readTogether(keys);
  const application = known ?? applicationOf(items.shift());
  const [user, access, ...extraItems] = items;
  const guarded = new GuardedApplication(application);
  return { application: guarded, user: userOf(user), access: accessOrDefault(access, userId, appId), extraItems };
}

/** Each user takes two of the 100 keys of a BatchGetItem: the user and the access. */
const maxUsersPerRead = 50;

/** Reads many users of one application with their accesses, strongly consistent, in parallel requests of 50 users. */
export async function readCurrentAccesses(appId: AppId, userIds: readonly UserId[]) {
  const chunks = inBatches(userIds, maxUsersPerRead);
  // The application is read together with the last users if the request has room for it.
  if ((chunks.at(-1)?.length ?? maxUsersPerRead) === maxUsersPerRead) chunks.push([]);
  const reads = await Promise.all(chunks.map((ids, n) => readChunk(appId, ids, n === chunks.length - 1)));
  const accesses = new Map(reads.flatMap((read) => read.accesses));
  return { application: new GuardedApplication(reads.at(-1)?.application), accesses };
}

export type UserAccess = Pick<CurrentAccess, 'user' | 'access'>;

async function readChunk(appId: AppId, userIds: readonly UserId[], withApplication: boolean) {
  const keys = userIds.flatMap((userId) => [userKey(userId), accessKey(userId, appId)]);
  const items = await readTogether(withApplication ? [...keys, applicationKey(appId)] : keys);
  const application = withApplication ? applicationOf(items.at(-1)) : undefined;
  const accesses = userIds.map(async (userId, n): Promise<[string, UserAccess]> => {
    const read = { user: userOf(items[2 * n]), access: accessOrDefault(items[2 * n + 1], userId, appId) };
    return [userId, belongsTogether(read) ? read : await readCurrentAccess({ userId, appId })];
  });
  return { application, accesses: await Promise.all(accesses) };
}
