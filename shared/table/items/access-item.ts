import * as v from 'valibot';
import { accessStatuses } from '#shared/contract/access.ts';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { accessFields, fieldEntries, unsetFields } from '#shared/contract/resource-fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { type Item, readTogether, type TransactEntry } from '../client.ts';
import { deleteEntry, putEntry, updateEntry } from '../expression.ts';
import { chainHead, mapSchema, nullableText, parseItem, storedId } from '../item-schema.ts';
import { accessEntryKey, accessIndexKey, accessKey, applicationKey, type Key, userKey } from '../keys.ts';
import { type Application, applicationOf, SealedApplication } from './application-item.ts';
import { type User, userOf } from './user-item.ts';

const grantSchema = v.object({
  /** Not before the role was defined, which tells it from a grant of a deleted role of the same name. */
  grantedAt: v.string(),
  /** `null` is never; a grant whose end has passed no longer counts. */
  expiresAt: nullableText,
});

/** A role given to a user. */
export type Grant = Readonly<v.InferOutput<typeof grantSchema>>;

const accessItemSchema = v.object({
  userId: storedId<UserId>(),
  appId: storedId<AppId>(),
  /** `null` when it was never set. */
  status: v.nullable(v.picklist(accessStatuses)),
  ...fieldEntries(accessFields, 'stored'),
  /** The id of the Change that set the status; `null` when none did. */
  statusChangeId: nullableText,
  /** By role name. */
  roles: mapSchema(grantSchema),
  /** Counts the changes. */
  version: v.number(),
  updatedAt: v.string(),
  /** Whose access it is, if users of the same id were created one after the other. */
  userCreatedAt: v.string(),
  /** The id of the last Change. */
  lastChangeId: v.string(),
  chainHead,
});

/** An access that was changed at least once. */
export type ChangedAccessItem = Readonly<v.InferOutput<typeof accessItemSchema>>;

type FirstChange = 'updatedAt' | 'userCreatedAt' | 'lastChangeId' | 'chainHead';

/**
 * What is stored of one user in one application; `decideAccess` says what it means. Without an item the version is 0, and
 * what the first change sets is `null`.
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
  roles: v.pipe(
    v.custom<Readonly<Record<string, unknown>>>((roles) => typeof roles === 'object' && roles !== null),
    v.transform((roles) => Object.keys(roles) as RoleName[]),
  ),
});

/** Whose access an item is and under which roles it is listed: all that deleting it needs, however damaged the rest is. */
export function grantedRolesOf(item: Item): v.InferOutput<typeof grantedRolesSchema> {
  return parseItem(grantedRolesSchema, item);
}

/** The access of an item, or the default one where there is no item. */
export function accessOrDefault(item: Item | undefined, userId: UserId, appId: AppId): StoredAccess {
  if (item !== undefined) return accessOf(item);
  return {
    ...{ userId, appId, status: null, ...unsetFields(accessFields), roles: {}, version: 0, updatedAt: null },
    ...{ statusChangeId: null, userCreatedAt: null, lastChangeId: null, chainHead: null },
  };
}

/** The grants that have not ended, by name. */
export function liveGrants(access: StoredAccess, at: Date): [string, Grant][] {
  return Object.entries(access.roles)
    .filter(([, grant]) => !hasPassed(grant.expiresAt, at))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Whether an access is the default: no explicit status, and no grant that has not ended. */
export function isDefaultAccess(access: StoredAccess, at: Date): boolean {
  return access.status === null && liveGrants(access, at).length === 0;
}

/**
 * Writes the next version of an access with its Change, if it is still the version that was read; with the first one the
 * entry by which its application finds it.
 */
export function updateAccessEntries(
  read: StoredAccess,
  next: StoredAccess,
  { id, integrity }: Change,
): TransactEntry[] {
  const { userId, appId, version } = read;
  const last = { lastChangeId: id, chainHead: integrity.mac };
  const update = updateEntry({
    key: accessKey(userId, appId),
    set: { ...next, ...last, ...accessIndexKey(userId, appId) },
    ...(version === 0 ? { absent: ['version'] } : { equals: { version } }),
  });
  return version === 0 ? [update, putEntry({ ...accessEntryKey(appId, userId), userId })] : [update];
}

/** Deletes an access with the entry by which its application finds it; of any version by default. */
export function deleteAccessEntries({ userId, appId }: AccessSubject, version?: number): TransactEntry[] {
  const condition = version === undefined ? {} : { equals: { version } };
  return [deleteEntry(accessEntryKey(appId, userId)), deleteEntry(accessKey(userId, appId), condition)];
}

const ownerSchema = v.object({ userId: storedId<UserId>() });

/** Whose an access is, by the access or by the entry of its application. */
export function ownerOf(item: Item): UserId {
  return parseItem(ownerSchema, item).userId;
}

/** All that a decision about one user in one application needs. */
export interface CurrentAccess {
  readonly application: SealedApplication;
  readonly user: User | undefined;
  readonly access: StoredAccess;
  /** The item that was asked for besides. */
  readonly also: Item | undefined;
}

export interface AccessSubject {
  readonly userId: UserId;
  readonly appId: AppId;
}

export interface CurrentAccessRequest extends AccessSubject {
  /** One more item that the decision needs, such as a role's definition. */
  readonly also?: Key | undefined;
  /** One that is known already, and not read again. */
  readonly application?: Application | undefined;
}

/** Reads it in one strongly consistent request; in another one when the user was created again in its midst. */
export async function readCurrentAccess(request: CurrentAccessRequest): Promise<CurrentAccess> {
  for (let attempt = 1; attempt <= maxReads; attempt++) {
    const current = await readOnce(request);
    if (belongsTogether(current)) return current;
  }
  throw new ServiceError('unavailable', { detail: 'The user is being created again right now. Try again.' });
}

const maxReads = 3;

/** The items of one request are read one after the other, so the access may be that of another user of the same id. */
function belongsTogether({ user, access: { userCreatedAt } }: UserAccess): boolean {
  return user === undefined || userCreatedAt === null || userCreatedAt === user.createdAt;
}

async function readOnce(request: CurrentAccessRequest): Promise<CurrentAccess> {
  const { userId, appId, application: known } = request;
  const keys = [userKey(userId), accessKey(userId, appId)];
  if (known === undefined) keys.unshift(applicationKey(appId));
  if (request.also !== undefined) keys.push(request.also);
  const items = await readTogether(keys);
  const application = known ?? applicationOf(items.shift());
  const [user, access, also] = items;
  const sealed = new SealedApplication(application);
  return { application: sealed, user: userOf(user), access: accessOrDefault(access, userId, appId), also };
}

/** Users of one BatchGetItem of 100 keys, each with the access. */
const maxUsersPerRead = 50;

/** Reads it for many users of one application, strongly consistent, 50 of them a request, all requests at once. */
export async function readCurrentAccesses(appId: AppId, userIds: readonly UserId[]) {
  const chunks = Array.from({ length: Math.ceil(userIds.length / maxUsersPerRead) }, (_, n) =>
    userIds.slice(n * maxUsersPerRead, (n + 1) * maxUsersPerRead),
  );
  // The application is read with the last users where there is room for it.
  if ((chunks.at(-1)?.length ?? maxUsersPerRead) === maxUsersPerRead) chunks.push([]);
  const reads = await Promise.all(chunks.map((ids, n) => readChunk(appId, ids, n === chunks.length - 1)));
  const accesses = new Map(reads.flatMap((read) => read.accesses));
  return { application: new SealedApplication(reads.at(-1)?.application), accesses };
}

type UserAccess = Pick<CurrentAccess, 'user' | 'access'>;

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
