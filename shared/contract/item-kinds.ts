/** An action of DynamoDB that writes one item or, in a transaction, requires something of it. */
export type WriteAction = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** What an option keeps in the table. */
export interface OptionItems {
  readonly kinds: Readonly<Record<string, KindOfOption>>;
  /** Its lists in the indexes, which the Management API queries. Default: none. */
  readonly lists?: Readonly<Record<string, IndexList>>;
}

export interface KindOfOption {
  /** The pattern of the partition keys. */
  readonly partitions: string;
  /** What the function of the Management API may do with them. */
  readonly managed: readonly ('BatchGetItem' | 'Query' | WriteAction)[];
}

/** A list in an index of the table. */
export interface IndexList {
  readonly index: 'gsi1' | 'gsi2';
  /** The pattern of the partition keys. */
  readonly partitions: string;
}
