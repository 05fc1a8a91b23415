import type { WriteAction } from './item-kinds.ts';

/** Any other name; the ones of the core are still completed by editors. */
type NameOfOption = string & Record<never, never>;

/** A kind of items, for permissions: of the core, or one that the catalog of an option names. */
export type ItemKind = CoreItemKind | NameOfOption;

/** The kinds of the core; `lib/data/table.ts` has the pattern of their partition keys. */
export type CoreItemKind =
  /** User, Access, Account, and a user's Changes. */
  | 'user'
  /** The lists of all users, of the inactive and of the erased ones. */
  | 'userList'
  /** The members of a role. */
  | 'member'
  /** The list of an application's users who have an access. */
  | 'accessEntry'
  /** Calls of applications. */
  | 'nonce'
  /** Calls of operators. */
  | 'idempotency'
  /** Application, Role, Key use, an application's Changes; the members of its roles and its users too. */
  | 'application'
  /** The words by which users are found. */
  | 'search'
  /** The feeds: pending changes and logs. */
  | 'feed'
  /** What the feeds have counted. */
  | 'counters'
  /** The format of the table, which its first application is created with. */
  | 'format';

/** A list of the indexes, for permissions: of the core, or of an option. */
export type ListName = CoreListName | NameOfOption;

/** The lists of the core. */
export type CoreListName =
  | 'applications'
  | 'applicationUsers'
  | 'userChanges'
  | 'applicationChanges'
  | 'history'
  | 'blockEnds';

/**
 * How an operation uses the table, from which the permissions of its function derive. In the Service API, each may also read
 * the application and the format of the table, and record the last use of a key and the requests of an application.
 */
export interface TableUse {
  /** The items that it reads by their keys. Default: none. */
  readonly reads?: readonly ItemKind[];
  /** Exactly the actions of its transaction (`shared/domain/access/change-access.ts`). Default: none. */
  readonly writes?: Readonly<Partial<Record<WriteAction, readonly ItemKind[]>>>;
  /** The lists of the indexes that it queries. Default: none. */
  readonly lists?: readonly ListName[];
  /** The partitions of the table itself that it queries. Default: none. */
  readonly queries?: readonly ItemKind[];
  /** The kind of what the caller's key belongs to, where its last use is recorded. Default: none is recorded. */
  readonly keyOwner?: ItemKind;
  /** What it changes of the application itself, with a record in the application's history. Default: nothing. */
  readonly changesApplication?: ApplicationChange;
}

/** A change that an application makes of itself. */
export interface ApplicationChange {
  /** The attributes of the application that it writes, beside those of every change. */
  readonly attributes: readonly string[];
  /** The attributes that only such a Change has. */
  readonly ofChange: readonly string[];
}

/** The attributes of an application that every change of it writes. */
export const versionAttributes: readonly string[] = ['version', 'updatedAt', 'chainHead'];

/** The attributes that every Change of an application has. */
export const changeAttributes: readonly string[] = [
  'gsi1pk',
  'gsi1sk',
  'gsi2pk',
  'gsi2sk',
  'ttl',
  'by',
  'id',
  'at',
  'action',
  'appId',
  'caller',
  'requestId',
  'sourceIp',
  'before',
  'after',
  'reason',
  'integrity',
];
