/** Kinds of items for write permissions; `lib/data/table.ts` has the pattern of their partition keys. */
export type ItemKind =
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
  /** Connection, Key use, and the Changes of a connection. */
  | 'connection'
  /** The users and groups of a directory, beside the accounts, which are in the partitions of their users. */
  | 'directory'
  /** The delivery of webhooks: where each is, its attempts, and what it is asked to send. */
  | 'webhook'
  /** The words by which users are found. */
  | 'search'
  /** The feeds: pending changes and logs. */
  | 'feed'
  /** What the feeds have counted. */
  | 'counters'
  /** The format of the table, which its first application is created with. */
  | 'format';

/** Lists of the indexes for read permissions. */
export type ListName =
  | 'applications'
  | 'connections'
  | 'applicationUsers'
  | 'userChanges'
  | 'applicationChanges'
  | 'history'
  | 'blockEnds';

export type WriteAction = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

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
  /** Whether it changes the webhooks of an application, with a record in the application's history. Default: it does not. */
  readonly changesWebhooks?: true;
}

/** The attributes of an application that a change of its webhooks writes. */
export const webhookAttributes: readonly string[] = ['webhooks', 'version', 'updatedAt', 'chainHead'];

/** The attributes of a change that an application makes of itself. */
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
  'webhookId',
  'caller',
  'requestId',
  'sourceIp',
  'before',
  'after',
  'reason',
  'integrity',
];
