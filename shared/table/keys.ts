import type { AppId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';

/** A range of one partition, of the table or of its index. */
export interface Range {
  /** Default: the table itself, read strongly consistent; the index cannot be. */
  readonly index?: 'gsi1';
  readonly pk: string;
  /** Only sort keys that begin so. Default: all. */
  readonly prefix?: string;
  /** Only sort keys above it; not together with a prefix. Default: all. */
  readonly above?: string;
  /** Only sort keys from the first to the last, both included; not together with the two before. Default: all. */
  readonly between?: { readonly first: string; readonly last: string };
  /** Only items with this value of an attribute or, if `not`, with any other or none. Default: all. */
  readonly where?: { readonly attribute: string; readonly value: string; readonly not?: boolean };
  /** Only items in which this attribute has one of these values. Default: all. */
  readonly among?: { readonly attribute: string; readonly values: readonly string[] };
  /** Only items in whose attribute each of these texts occurs. Default: all. */
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

/*
 * Every key shape, with the access pattern that it serves, beside `tableFormatKey`. Ids cannot hold `#`, so no two shapes meet.
 */

/** One user; `gsi1` lists all users by id, and apart from them those that are being erased or were. */
export const userKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'USER' });
export const userIndexKey = (userId: UserId): IndexKey => ({ gsi1pk: 'USERS', gsi1sk: userId });
export const erasedUserIndexKey = (userId: UserId): IndexKey => ({ gsi1pk: 'USERS#ERASED', gsi1sk: userId });

/** The mark of one inactive user; `gsi1` lists the inactive users by id. */
export const inactiveMarkKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'INACTIVE' });
export const inactiveMarkIndexKey = (userId: UserId): IndexKey => ({ gsi1pk: 'USERS#INACTIVE', gsi1sk: userId });

/**
 * One word by which a user is found: lists the users with a word that begins so. A partition has the words with the same
 * two first characters, or one where a character says as much as a word; shorter words are in none.
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
/** Whether a character is of a script that does not divide words by spaces. */
export const isIdeograph = (character: string): boolean => ideograph.test(character);

/** One application with its keys; `gsi1` lists all applications by id. */
export const applicationKey = (appId: AppId): Key => ({ pk: `APP#${appId}`, sk: 'APP' });
export const applicationIndexKey = (appId: AppId): IndexKey => ({ gsi1pk: 'APPS', gsi1sk: appId });

/** One role; an application's roles are a range of its partition. */
export const roleKey = (appId: AppId, role: RoleName): Key => ({ pk: `APP#${appId}`, sk: `ROLE#${role}` });

/**
 * One access; a user's accesses are a range of its partition, `gsi1` lists an application's by user. Its place there never
 * changes, so that a list that is read page by page misses none.
 */
export const accessKey = (userId: UserId, appId: AppId): Key => ({ pk: `USER#${userId}`, sk: `ACCESS#${appId}` });
export const accessIndexKey = (userId: UserId, appId: AppId): IndexKey => ({
  gsi1pk: `APP#${appId}#USERS`,
  gsi1sk: `user#${userId}`,
});

/** One access, seen from the application: lists the users of whom it has one, strongly consistent. */
export const accessEntryKey = (appId: AppId, userId: UserId): Key => ({
  pk: `APP#${appId}#USERS`,
  sk: `USER#${userId}`,
});

/** One grant, seen from the role: lists a role's members. */
export const memberKey = (appId: AppId, role: RoleName, userId: UserId): Key => ({
  pk: `APP#${appId}#ROLE#${role}`,
  sk: `USER#${userId}`,
});

/** One change in its user's history, or in its application's when no user is concerned; `gsi1` is the application's whole history. */
export const userChangeKey = (userId: UserId, changeId: string): Key => ({
  pk: `USER#${userId}`,
  sk: `CHANGE#${changeId}`,
});
export const applicationChangeKey = (appId: AppId, changeId: string): Key => ({
  pk: `APP#${appId}`,
  sk: `CHANGE#${changeId}`,
});
export const changeIndexKey = (appId: AppId, changeId: string): IndexKey => ({
  gsi1pk: `APP#${appId}#CHANGES`,
  gsi1sk: changeId,
});

/** The change that a user was erased, which outlives the user's other items; last among the user's changes. */
export const erasureKey = (userId: UserId, changeId: string): Key => ({
  pk: `USER#${userId}`,
  sk: `CHANGE#ERASED#${changeId}`,
});
export const isChangeKey = ({ sk }: Key): boolean => sk.startsWith('CHANGE#');
export const isErasure = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).startsWith('CHANGE#ERASED#');

/** A change of a user that concerns every application. */
export const userChangeIndexKey = (changeId: string): IndexKey => ({ gsi1pk: 'USERS#CHANGES', gsi1sk: changeId });

/**
 * One change in the global history, by its id alone: lists the changes of all users and applications. Ids rise, so one
 * partition would take all writes; their last character, which is random, divides them among four.
 */
export const historyEntryKey = (changeId: string): Key => ({
  pk: `HISTORY#${'0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(changeId.slice(-1)) & 3}`,
  sk: changeId,
});
const historyPartitions = ['HISTORY#0', 'HISTORY#1', 'HISTORY#2', 'HISTORY#3'];

/** One spent nonce of one API key. */
export const nonceKey = (keyId: KeyId, nonce: string): Key => ({ pk: `NONCE#${keyId}#${nonce}`, sk: 'NONCE' });

/** One attempt of an ended call but the one that ended it, by a digest of its signature. */
export const attemptKey = ({ pk }: Key, signature: string): Key => ({ pk, sk: `ATTEMPT#${signature}` });

/** One call of an operator, by a digest of its `Idempotency-Key` and the operator. */
export const idempotencyKey = (digest: string): Key => ({ pk: `IDEMPOTENCY#${digest}`, sk: 'IDEMPOTENCY' });

/** The last use of one API key, to the day; an application's are a range of its partition. */
export const keyUseKey = (appId: AppId, keyId: string): Key => ({ pk: `APP#${appId}`, sk: `KEYUSE#${keyId}` });

/**
 * The requests of one application, counted by its processes of one Region: a replica of the table would take the last of two
 * counts for both. Apart from the application, whose item's writes and reads they would take.
 */
export const requestTotalsKey = (appId: AppId, region: string): Key => ({ pk: `RATE#${appId}`, sk: region });

/** Every range that is listed or deleted, beside the keys that lie in it. */
export const ranges = {
  users: (prefix: string): Range => ({ index: 'gsi1', pk: 'USERS', ...beginningWith(prefix) }),
  /** The marks of the inactive users. */
  inactiveUsers: (prefix: string): Range => ({ index: 'gsi1', pk: 'USERS#INACTIVE', ...beginningWith(prefix) }),
  /** The entries of words that begin so, whose users have words with these other beginnings too; undefined if it is too short. */
  searchEntries: (beginning: string, others: readonly string[]): Range | undefined => {
    const pk = searchPartition(beginning);
    const texts = others.map((other) => ` ${other}`);
    return pk === undefined
      ? undefined
      : { pk, prefix: beginning, ...(texts.length > 0 && { containing: { attribute: 'words', texts } }) };
  },
  /** The entries of exactly this word; undefined if it is too short. */
  searchEntriesOf: (word: string): Range | undefined => {
    const pk = searchPartition(word);
    return pk === undefined ? undefined : { pk, prefix: `${word}#` };
  },
  applications: (): Range => ({ index: 'gsi1', pk: 'APPS' }),
  roles: (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'ROLE#' }),
  keyUses: (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'KEYUSE#' }),
  members: (appId: AppId, role: RoleName): Range => ({ pk: `APP#${appId}#ROLE#${role}` }),
  /** Those that are being erased, or were some time ago. */
  erasedUsers: (): Range => ({ index: 'gsi1', pk: 'USERS#ERASED' }),
  applicationUsers: (appId: AppId, where?: Range['where']): Range => ({
    index: 'gsi1',
    pk: `APP#${appId}#USERS`,
    ...(where && { where }),
  }),
  accessEntries: (appId: AppId): Range => ({ pk: `APP#${appId}#USERS` }),
  userAccesses: (userId: UserId): Range => ({ pk: `USER#${userId}`, prefix: 'ACCESS#' }),
  /** Everything of a user but the user's own item. */
  userItems: (userId: UserId): Range => ({ pk: `USER#${userId}` }),
  userChanges: (userId: UserId, appId?: AppId): Range => ({
    ...{ pk: `USER#${userId}`, prefix: 'CHANGE#', descending: true },
    ...(appId !== undefined && { where: { attribute: 'appId', value: appId } }),
  }),
  applicationChanges: (appId: AppId, span: ChangeSpan): Range => ({
    index: 'gsi1',
    pk: `APP#${appId}#CHANGES`,
    ...rangeOfSpan('', span),
  }),
  /** The changes of users that concern every application. */
  userChangesForAll: (span: ChangeSpan): Range => ({ index: 'gsi1', pk: 'USERS#CHANGES', ...rangeOfSpan('', span) }),
  /** The same as `userChanges`, and apart from them that users of this id were erased. */
  userHistory: (userId: UserId, span: ChangeSpan): Range[] =>
    [userChangeKey, erasureKey].map((keyOf) => ({ pk: `USER#${userId}`, ...rangeOfSpan(keyOf(userId, '').sk, span) })),
  /** An application's own changes, which concern no user. */
  ownChanges: (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'CHANGE#' }),
  /** All that were erased, whose users may exist again or no longer. */
  erasures: (): Range => ({
    index: 'gsi1',
    pk: 'USERS#CHANGES',
    where: { attribute: 'action', value: 'user.deleted' },
  }),
  /** The changes of one bulk in an application, or without one of the status of users. */
  changesOfBulk: (appId: AppId | undefined, bulkId: string, span: ChangeSpan): Range => ({
    index: 'gsi1',
    pk: appId === undefined ? 'USERS#CHANGES' : `APP#${appId}#CHANGES`,
    ...rangeOfSpan('', span),
    where: { attribute: 'bulkId', value: bulkId },
  }),
  /** The global history, by partition. */
  history: (span: ChangeSpan): Range[] => historyPartitions.map((pk) => ({ pk, ...rangeOfSpan('', span) })),
} as const;

/** An empty prefix is all. */
function beginningWith(prefix: string): Pick<Range, 'prefix'> {
  return prefix === '' ? {} : { prefix };
}

/** Which changes of a list, by their ids. */
export interface ChangeSpan {
  readonly descending: boolean;
  /** Only ids above and below these. Default: all. */
  readonly above?: string | undefined;
  readonly below?: string | undefined;
}

/** DynamoDB takes one condition for the sort key, whose ends are included: characters that no id has exclude them. */
function rangeOfSpan(prefix: string, { descending, above, below }: ChangeSpan): Pick<Range, 'between' | 'descending'> {
  const first = above === undefined ? '0' : `${above}!`;
  const last = below === undefined ? '8' : `${below.slice(0, -1)}${characterBefore(below.slice(-1))}~`;
  return { between: { first: prefix + first, last: prefix + last }, descending };
}

function characterBefore(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 1) - 1);
}

/** The value of the attribute `ttl`: seconds since the epoch, rounded up so that nothing is removed early. */
export function epochSeconds(timestamp: string): number {
  return Math.ceil(Date.parse(timestamp) / 1000);
}
