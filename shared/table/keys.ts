import type { AppId, ConnectionId, KeyId, RoleName, UserId, WebhookName } from '#shared/contract/fields.ts';
import { digest } from '#shared/core/ids.ts';

/** A range of one partition, of the table or of its index. */
export interface Range {
  /** Default: the table itself. Only the table supports strongly consistent reads. */
  readonly index?: IndexName;
  readonly pk: string;
  /** Only sort keys with this prefix. Default: all. */
  readonly prefix?: string;
  /** Only sort keys greater than this; cannot be combined with `prefix`. Default: all. */
  readonly above?: string;
  /** Only sort keys from the first to the last, inclusive; cannot be combined with `prefix` or `above`. Default: all. */
  readonly between?: { readonly first: string; readonly last: string };
  /** Only items whose attribute has this value or, if `not`, has another value or none. Default: all. */
  readonly where?: { readonly attribute: string; readonly value: string; readonly not?: boolean };
  /** Only items in which this attribute has one of these values. Default: all. */
  readonly among?: { readonly attribute: string; readonly values: readonly string[] };
  /** Only items whose attribute contains all of these texts. Default: all. */
  readonly containing?: { readonly attribute: string; readonly texts: readonly string[] };
  /** Default: ascending. */
  readonly descending?: boolean;
}

/** The primary key of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The place of an item in the index `gsi1`. */
export interface IndexKey {
  readonly gsi1pk: string;
  readonly gsi1sk: string;
}

/** The indexes: both are lists for people, may be behind the table, and decide nothing. */
export type IndexName = 'gsi1' | 'gsi2';

/*
 * Every key shape, with its access pattern; `tableFormatKey` is the only one elsewhere. Ids cannot contain `#`, so no two
 * shapes overlap.
 */

/** One user. */
export const userKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'USER' });

/** One user in the list of all users, of the inactive ones, and of those who are being erased or have been; by id. */
export const userEntryKey = (userId: UserId): Key => ({ pk: 'USERS', sk: userId });
export const inactiveMarkKey = (userId: UserId): Key => ({ pk: 'USERS#INACTIVE', sk: userId });
export const erasedEntryKey = (userId: UserId): Key => ({ pk: 'USERS#ERASED', sk: userId });

/**
 * One word by which a user is found: lists the users with a word of this prefix. A partition has the words with the same
 * first two characters, or the same first character if that is an ideograph; shorter words have no partition.
 */
export function searchEntryKey(word: string, userId: UserId): Key | undefined {
  const pk = searchPartition(word);
  return pk === undefined ? undefined : { pk, sk: `${word}#${userId}` };
}
function searchPartition(word: string): string | undefined {
  const [first = '', second] = word;
  if (isIdeograph(first)) return `FIND#${first}`;
  return second === undefined ? undefined : `FIND#${first}${second}`;
}
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Whether a character belongs to a script that does not separate words with spaces. */
export const isIdeograph = (character: string): boolean => ideograph.test(character);

/** One application with its keys; `gsi1` lists all applications by id. */
export const applicationKey = (appId: AppId): Key => ({ pk: `APP#${appId}`, sk: 'APP' });
export const applicationIndexKey = (appId: AppId): IndexKey => ({ gsi1pk: 'APPS', gsi1sk: appId });

/** One connection with its keys; `gsi1` lists all connections by id. */
export const connectionKey = (connectionId: ConnectionId): Key => ({
  pk: `CONNECTION#${connectionId}`,
  sk: 'CONNECTION',
});
export const connectionIndexKey = (connectionId: ConnectionId): IndexKey => ({
  gsi1pk: 'CONNECTIONS',
  gsi1sk: connectionId,
});

/** The account by which a directory manages a user, of whom it is the only one. It sorts before what outlives the user. */
export const accountKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'ACCOUNT' });
export const isAccountKey = ({ sk }: Key): boolean => sk === 'ACCOUNT';

/** One account in the list of a directory's users, by id. */
export const accountEntryKey = (connectionId: ConnectionId, userId: UserId): Key => ({
  pk: directoryPartition(connectionId),
  sk: `USER#${userId}`,
});
/** The account of a user whom the directory removed. */
export const removedAccountKey = (connectionId: ConnectionId, userId: UserId): Key => ({
  pk: directoryPartition(connectionId),
  sk: `REMOVED#${userId}`,
});
/** The account with a name or an external id, of which a directory has one each; digests, so that keys name nobody. */
export const accountNameKey = (connectionId: ConnectionId, folded: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `NAME#${digest(folded)}`,
});
export const externalIdKey = (connectionId: ConnectionId, externalId: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `EXTERNAL#${digest(externalId)}`,
});
/** One of the accounts with an e-mail address, of which there may be several. */
export const accountEmailKey = (connectionId: ConnectionId, folded: string, userId: UserId): Key => ({
  pk: directoryPartition(connectionId),
  sk: `EMAIL#${digest(folded)}#${userId}`,
});
export const isAccountPlace = ({ sk }: Key): boolean => sk.startsWith('USER#') || sk.startsWith('REMOVED#');
/** One group of a directory. */
export const groupKey = (connectionId: ConnectionId, groupId: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `GROUP#${groupId}`,
});
/** Whether an item of a directory is a group, or what one is found by; all others belong to an account. */
export const isGroupPlace = ({ sk }: Key): boolean => sk.startsWith('GROUP');
export const isGroupKey = ({ sk }: Key): boolean => sk.startsWith('GROUP#');
/** The group with a name or an external id, of which a directory has one each. */
export const groupNameKey = (connectionId: ConnectionId, displayName: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `GROUPNAME#${digest(displayName)}`,
});
export const groupExternalIdKey = (connectionId: ConnectionId, externalId: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `GROUPEXTERNAL#${digest(externalId)}`,
});
/** One member of a group, in a partition of each group: it may have thousands. */
export const groupMemberKey = (connectionId: ConnectionId, groupId: string, userId: UserId): Key => ({
  pk: `${directoryPartition(connectionId)}#GROUP#${groupId}`,
  sk: `USER#${userId}`,
});
/** One of the items by which changes of a group's members learn that a later request has replaced them all. */
export const groupFenceKey = (connectionId: ConnectionId, groupId: string, lane: number): Key => ({
  pk: `${directoryPartition(connectionId)}#GROUP#${groupId}`,
  sk: `FENCE#${lane}`,
});
/** The requests of a directory in one hour, and those that were refused, by time. */
export const hourKey = (connectionId: ConnectionId, at: string): Key => ({
  pk: activityPartition(connectionId),
  sk: `HOUR#${at.slice(0, 13)}`,
});
export const refusalKey = (connectionId: ConnectionId, ulid: string): Key => ({
  pk: activityPartition(connectionId),
  sk: `REFUSED#${ulid}`,
});
const activityPartition = (connectionId: ConnectionId) => `${directoryPartition(connectionId)}#ACTIVITY`;
const directoryPartition = (connectionId: ConnectionId) => `SCIM#${connectionId}`;

/** One role; an application's roles are a range of its partition. */
export const roleKey = (appId: AppId, role: RoleName): Key => ({ pk: `APP#${appId}`, sk: `ROLE#${role}` });

/**
 * One access; a user's accesses are a range of the user's partition, and `gsi1` lists an application's by user. The key in
 * the index never changes, so that reading page by page misses no access.
 */
export const accessKey = (userId: UserId, appId: AppId): Key => ({ pk: `USER#${userId}`, sk: `ACCESS#${appId}` });
export const accessIndexKey = (userId: UserId, appId: AppId): IndexKey => ({
  gsi1pk: `APP#${appId}#USERS`,
  gsi1sk: `user#${userId}`,
});

/** One access, seen from its application: lists the users who have one, strongly consistent. */
export const accessEntryKey = (appId: AppId, userId: UserId): Key => ({
  pk: `APP#${appId}#USERS`,
  sk: `USER#${userId}`,
});

/** One grant, seen from the role: lists a role's members. */
export const memberKey = (appId: AppId, role: RoleName, userId: UserId): Key => ({
  pk: `APP#${appId}#ROLE#${role}`,
  sk: `USER#${userId}`,
});

/** One change in its user's history or, without a user, in its application's; `gsi1` lists the application's whole history. */
export const userChangeKey = (userId: UserId, changeId: string): Key => ({
  pk: `USER#${userId}`,
  sk: `CHANGE#${changeId}`,
});
export const applicationChangeKey = (appId: AppId, changeId: string): Key => ({
  pk: `APP#${appId}`,
  sk: `CHANGE#${changeId}`,
});
export const connectionChangeKey = (connectionId: ConnectionId, changeId: string): Key => ({
  pk: `CONNECTION#${connectionId}`,
  sk: `CHANGE#${changeId}`,
});
export const changeIndexKey = (appId: AppId, changeId: string): IndexKey => ({
  gsi1pk: `APP#${appId}#CHANGES`,
  gsi1sk: changeId,
});

/** The change that records a user's erasure; it outlives the user's other items, and sorts after the user's other changes. */
export const erasureKey = (userId: UserId, changeId: string): Key => ({
  pk: `USER#${userId}`,
  sk: `CHANGE#ERASED#${changeId}`,
});
export const isChangeKey = ({ sk }: Key): boolean => sk.startsWith('CHANGE#');
export const isErasure = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).startsWith('CHANGE#ERASED#');

/** A change of a user that concerns every application. */
export const userChangeIndexKey = (changeId: string): IndexKey => ({ gsi1pk: 'USERS#CHANGES', gsi1sk: changeId });

/**
 * The place of a change in the index `gsi2`, which lists the changes of all users and applications by id. Ids increase with
 * time, so a single partition could be a hot spot; their last character, which is random, distributes them over several.
 */
export const historyIndexKey = (changeId: string) => ({
  gsi2pk: historyPartition('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(changeId.slice(-1)) % historyPartitions),
  gsi2sk: changeId,
});
const historyPartition = (number: number) => `HISTORY#${number}`;
/** Each takes 1,000 changes of up to 1 KB a second. */
const historyPartitions = 16;

/**
 * The feed of one application, of the changes of users that concern every application, or of the other changes of users, which
 * nobody follows: they are numbered only to be counted.
 */
export type FeedName = AppId | typeof usersFeed | typeof unfollowedFeed;
export const usersFeed = 'USERS';
export const unfollowedFeed = 'USERS#UNFOLLOWED';
export const isUserFeed = (feed: FeedName): feed is typeof usersFeed | typeof unfollowedFeed =>
  feed === usersFeed || feed === unfollowedFeed;

/** What one feed has counted, beside the other feeds, so that one query reads all. */
export const overviewKey = (feed: FeedName): Key => ({ pk: 'OVERVIEW', sk: feed });

/** The place of a block that has an end, in the index `gsi2`: lists those of all applications by their end. */
export const blockEndIndexKey = (until: string, { userId, appId }: { userId: UserId; appId: AppId }) => ({
  gsi2pk: 'ENDS',
  gsi2sk: `${until}#${appId}#${userId}`,
});

/**
 * A change in a feed. Pending ones have no number yet: those of one user are next to each other, by id, and a digest of the
 * user's id comes first, so that DynamoDB can divide them under load. The log has the others in blocks, by the number of the
 * first change of each, and at its end the highest number that may be in use. Read backwards, the partition shows what is
 * pending before the end of the log.
 */
export const pendingKey = (feed: FeedName, { id, userId = '' }: FeedChangeKey): Key => ({
  pk: feedPartition(feed),
  sk: `PENDING#${digest(userId).slice(0, 6)}#${id}`,
});
/** What places a change among the pending ones. */
export interface FeedChangeKey {
  readonly id: string;
  readonly userId?: string;
}
export const logBlockKey = (feed: FeedName, first: number): Key => ({
  pk: feedPartition(feed),
  sk: `LOG#${String(first).padStart(12, '0')}`,
});
export const logEndKey = (feed: FeedName): Key => ({ pk: feedPartition(feed), sk: 'LOG#END' });
export const isPendingKey = ({ sk }: Key): boolean => sk.startsWith('PENDING#');
const feedPartition = (feed: FeedName) => `FEED#${feed}`;

/**
 * How far the deliveries of a webhook are. Those of all applications are one partition, so that one query finds all that may have
 * something to deliver; what is set of a webhook is in the item of its application.
 */
export const webhookStateKey = ({ appId, webhookId }: WebhookName): Key => ({
  pk: 'WEBHOOKS',
  sk: `${appId}#${webhookId}`,
});

/** One attempt of a webhook, and one request to send something. */
export const webhookAttemptKey = (name: WebhookName, attemptId: string): Key => ({
  pk: webhookPartition(name),
  sk: `ATTEMPT#${attemptId}`,
});
export const webhookRequestKey = (name: WebhookName, requestId: string): Key => ({
  pk: webhookPartition(name),
  sk: `REQUEST#${requestId}`,
});
/** The webhook that a request to send something is for; undefined for any other key. */
export function requestedWebhook({ pk = '', sk = '' }: Partial<Key>): WebhookName | undefined {
  const [, appId, webhookId] = /^WEBHOOK#([^#]+)#([^#]+)$/.exec(pk) ?? [];
  if (appId === undefined || webhookId === undefined || !sk.startsWith('REQUEST#')) return undefined;
  return { appId, webhookId } as WebhookName;
}
const webhookPartition = ({ appId, webhookId }: WebhookName) => `WEBHOOK#${appId}#${webhookId}`;

/** One call of an application, by its API key and nonce. */
export const nonceKey = (keyId: KeyId, nonce: string): Key => ({ pk: `NONCE#${keyId}#${nonce}`, sk: 'NONCE' });

/** One attempt of a completed call other than the one that completed it, by a digest of its signature. */
export const attemptKey = ({ pk }: Key, signature: string): Key => ({ pk, sk: `ATTEMPT#${signature}` });

/** One call of an operator, by a digest of its `Idempotency-Key` and the operator. */
export const idempotencyKey = (digest: string): Key => ({ pk: `IDEMPOTENCY#${digest}`, sk: 'IDEMPOTENCY' });

/** What has keys. */
export type KeyOwner = { readonly appId: AppId } | { readonly connectionId: ConnectionId };

/** The day on which a key was last used; the uses of the keys of an application or a connection are a range of its partition. */
export const keyUseKey = (owner: KeyOwner, keyId: string): Key => ({
  pk: 'appId' in owner ? `APP#${owner.appId}` : `CONNECTION#${owner.connectionId}`,
  sk: `KEYUSE#${keyId}`,
});

/**
 * The requests of one application, counted by all processes in one Region: between replicas of the table the last writer
 * wins, so a common count would be wrong. In a partition of its own, so that it takes no capacity from the application.
 */
export const requestTotalsKey = (appId: AppId, region: string): Key => ({ pk: `RATE#${appId}`, sk: region });

/** Every range that is listed or deleted. */
export const ranges = {
  users: (prefix: string): Range => ({ pk: 'USERS', ...withPrefix(prefix) }),
  /** The marks of the inactive users. */
  inactiveUsers: (prefix: string): Range => ({ pk: 'USERS#INACTIVE', ...withPrefix(prefix) }),
  /**
   * The entries of words with this prefix whose users also have words with the other prefixes; undefined if it is too
   * short.
   */
  searchEntries: (prefix: string, others: readonly string[]): Range | undefined => {
    const pk = searchPartition(prefix);
    const texts = others.map((other) => ` ${other}`);
    return pk === undefined
      ? undefined
      : { pk, prefix, ...(texts.length > 0 && { containing: { attribute: 'words', texts } }) };
  },
  /** The entries of exactly this word; undefined if it is too short. */
  searchEntriesOf: (word: string): Range | undefined => {
    const pk = searchPartition(word);
    return pk === undefined ? undefined : { pk, prefix: `${word}#` };
  },
  applications: (): Range => ({ index: 'gsi1', pk: 'APPS' }),
  connections: (): Range => ({ index: 'gsi1', pk: 'CONNECTIONS' }),
  /** Everything of a directory but the accounts and the members of groups. */
  directory: (connectionId: ConnectionId): Range => ({ pk: directoryPartition(connectionId) }),
  /** The accounts of a directory, by id. */
  accounts: (connectionId: ConnectionId): Range => ({ pk: directoryPartition(connectionId), prefix: 'USER#' }),
  accountsWithEmail: (connectionId: ConnectionId, folded: string): Range => ({
    pk: directoryPartition(connectionId),
    prefix: accountEmailKey(connectionId, folded, '' as UserId).sk,
  }),
  /** What was counted and refused of the requests of a directory. */
  activity: (connectionId: ConnectionId): Range => ({ pk: activityPartition(connectionId) }),
  hours: (connectionId: ConnectionId, since: string): Range => ({
    pk: activityPartition(connectionId),
    between: { first: hourKey(connectionId, since).sk, last: 'HOUR#~' },
  }),
  refusals: (connectionId: ConnectionId): Range => ({
    pk: activityPartition(connectionId),
    prefix: 'REFUSED#',
    descending: true,
  }),
  groups: (connectionId: ConnectionId): Range => ({ pk: directoryPartition(connectionId), prefix: 'GROUP#' }),
  groupMembers: (connectionId: ConnectionId, groupId: string): Range => ({
    pk: `${directoryPartition(connectionId)}#GROUP#${groupId}`,
    prefix: 'USER#',
  }),
  /** The members of a group, and its fences. */
  groupContents: (connectionId: ConnectionId, groupId: string): Range => ({
    pk: `${directoryPartition(connectionId)}#GROUP#${groupId}`,
  }),
  roles: (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'ROLE#' }),
  keyUses: (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'KEYUSE#' }),
  members: (appId: AppId, role: RoleName): Range => ({ pk: `APP#${appId}#ROLE#${role}` }),
  /** The users who are being erased, or have been and still have a tombstone. */
  erasedUsers: (): Range => ({ pk: 'USERS#ERASED' }),
  applicationUsers: (appId: AppId, where?: Range['where']): Range => ({
    index: 'gsi1',
    pk: `APP#${appId}#USERS`,
    ...(where && { where }),
  }),
  accessEntries: (appId: AppId): Range => ({ pk: `APP#${appId}#USERS` }),
  userAccesses: (userId: UserId): Range => ({ pk: `USER#${userId}`, prefix: 'ACCESS#' }),
  /** All items of a user, including the user's own. */
  userItems: (userId: UserId): Range => ({ pk: `USER#${userId}` }),
  userChanges: (userId: UserId, appId?: AppId): Range => ({
    pk: `USER#${userId}`,
    prefix: 'CHANGE#',
    descending: true,
    ...(appId !== undefined && { where: { attribute: 'appId', value: appId } }),
  }),
  /** The changes of an application itself and of its roles. */
  ownChanges: (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'CHANGE#', descending: true }),
  connectionChanges: (connectionId: ConnectionId, span: ChangeSpan): Range => ({
    pk: `CONNECTION#${connectionId}`,
    ...rangeOfSpan('CHANGE#', span),
  }),
  applicationChanges: (appId: AppId, span: ChangeSpan): Range => ({
    index: 'gsi1',
    pk: `APP#${appId}#CHANGES`,
    ...rangeOfSpan('', span),
  }),
  /** One change of an application or, without one, of those of users that concern every application. */
  listedChange: (appId: AppId | undefined, changeId: string): Range => ({
    index: 'gsi1',
    pk: appId === undefined ? 'USERS#CHANGES' : `APP#${appId}#CHANGES`,
    prefix: changeId,
  }),
  /** The changes of users that concern every application. */
  userChangesForAll: (span: ChangeSpan): Range => ({ index: 'gsi1', pk: 'USERS#CHANGES', ...rangeOfSpan('', span) }),
  /** The changes of a user, and separately the erasures of users with this id. */
  userHistory: (userId: UserId, span: ChangeSpan): Range[] =>
    [userChangeKey, erasureKey].map((keyOf) => ({ pk: `USER#${userId}`, ...rangeOfSpan(keyOf(userId, '').sk, span) })),
  /** The changes of one bulk in an application or, without one, those of users' statuses. */
  changesOfBulk: (appId: AppId | undefined, bulkId: string, span: ChangeSpan): Range => ({
    index: 'gsi1',
    pk: appId === undefined ? 'USERS#CHANGES' : `APP#${appId}#CHANGES`,
    ...rangeOfSpan('', span),
    where: { attribute: 'bulkId', value: bulkId },
  }),
  /** The global history, by partition. */
  history: (span: ChangeSpan): Range[] =>
    Array.from({ length: historyPartitions }, (_, number) => ({
      index: 'gsi2',
      pk: historyPartition(number),
      ...rangeOfSpan('', span),
    })),
  /** The webhooks of one application or of all. */
  webhookStates: (appId?: AppId): Range => ({ pk: 'WEBHOOKS', ...(appId !== undefined && { prefix: `${appId}#` }) }),
  webhookAttempts: (name: WebhookName): Range => ({
    pk: webhookPartition(name),
    prefix: 'ATTEMPT#',
    descending: true,
  }),
  webhookRequests: (name: WebhookName): Range => ({ pk: webhookPartition(name), prefix: 'REQUEST#' }),
  /** What all feeds have counted. */
  overview: (): Range => ({ pk: 'OVERVIEW' }),
  /** The accesses with a block that ends after a time, and up to another, by their end. */
  blockEnds: (after: string, upTo?: string): Range => ({
    index: 'gsi2',
    pk: 'ENDS',
    ...(upTo === undefined ? { above: `${after}~` } : { between: { first: `${after}~`, last: `${upTo}~` } }),
  }),
  /** What is pending in a feed, and its log from a block on, backwards. */
  feedNews: (feed: FeedName, first: number): Range => ({
    pk: feedPartition(feed),
    between: { first: logBlockKey(feed, first).sk, last: 'PENDING#~' },
    descending: true,
  }),
  /** The pending changes of a feed, up to the place of one of them if one is given. */
  pendingChanges: (feed: FeedName, last?: FeedChangeKey): Range => ({
    pk: feedPartition(feed),
    between: { first: 'PENDING#', last: last === undefined ? 'PENDING#~' : pendingKey(feed, last).sk },
  }),
  /** The log of a feed from a block on, with its end. */
  log: (feed: FeedName, first: number): Range => ({
    pk: feedPartition(feed),
    between: { first: logBlockKey(feed, first).sk, last: logEndKey(feed).sk },
  }),
} as const;

/** An empty prefix matches all. */
function withPrefix(prefix: string): Pick<Range, 'prefix'> {
  return prefix === '' ? {} : { prefix };
}

/** A range of change ids, and the order in which to read it. */
export interface ChangeSpan {
  readonly descending: boolean;
  /** Only ids greater than `above` and less than `below`. Default: all. */
  readonly above?: string | undefined;
  readonly below?: string | undefined;
}

/**
 * DynamoDB accepts only one condition on the sort key. BETWEEN includes its ends; characters that no id contains exclude
 * them.
 */
function rangeOfSpan(prefix: string, { descending, above, below }: ChangeSpan): Pick<Range, 'between' | 'descending'> {
  const first = above === undefined ? '0' : `${above}!`;
  const last = below === undefined ? '8' : `${below.slice(0, -1)}${characterBefore(below.slice(-1))}~`;
  return { between: { first: prefix + first, last: prefix + last }, descending };
}

function characterBefore(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 1) - 1);
}

export const secondsPerDay = 86_400;

/** The value of the attribute `ttl`: seconds since the epoch, rounded up so that nothing is removed early. */
export function epochSeconds(timestamp: string): number {
  return Math.ceil(Date.parse(timestamp) / 1000);
}
