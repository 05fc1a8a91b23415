import { config } from '#shared/core/config.ts';
import type { Item, TransactEntry } from './client.ts';
import type { Key } from './key.ts';

/** The condition of a write. */
export interface Condition {
  /** Attributes that must have these values. */
  readonly equals?: Item;
  /** Attributes that must not exist. */
  readonly absent?: readonly string[];
  /** Attributes that must be less than these values, or not exist. */
  readonly below?: Item;
}

export interface Update extends Condition {
  readonly key: Key;
  readonly set: Item;
  /** Numbers to add; a missing attribute counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
}

/** The parameters of UpdateItem, and of an update in a transaction. */
export function updateOf({ key, set, add = {}, remove = [], ...condition }: Update) {
  const sets = Object.keys(set).map((name) => `#${name} = :${name}`);
  const removes = remove.length === 0 ? '' : ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}`;
  const adds = Object.keys(add).map((name) => `#${name} :${name}`);
  const { ConditionExpression, names, values } = conditionOf(condition);
  const expressions = [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '',
    removes,
    adds.length > 0 ? ` ADD ${adds.join(', ')}` : '',
  ];
  return {
    ...target(key),
    UpdateExpression: expressions.join('').trim(),
    ...(ConditionExpression && { ConditionExpression }),
    ExpressionAttributeNames: placeholders([...Object.keys(set), ...Object.keys(add), ...remove, ...names]),
    ...(sets.length + adds.length + Object.keys(values).length > 0 && {
      ExpressionAttributeValues: { ...prefixed(':', set), ...prefixed(':', add), ...values },
    }),
  };
}

/** Writes attributes of an item, if the condition holds. */
export function updateEntry(update: Update) {
  return { Update: updateOf(update) } satisfies TransactEntry;
}

/** Makes a transaction depend on an item that it does not write. */
export function conditionCheckEntry(key: Key, condition: Condition) {
  const { ConditionExpression, names, values } = conditionOf(condition);
  return {
    ConditionCheck: {
      ...target(key),
      ConditionExpression,
      ExpressionAttributeNames: placeholders(names),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    },
  } satisfies TransactEntry;
}

/** Writes a whole item, if the condition holds for the existing one; without a condition, unconditionally. */
export function putEntry(item: Item & Key, condition: Condition = {}) {
  const { ConditionExpression, names, values } = conditionOf(condition);
  return {
    Put: {
      TableName: config().tableName,
      Item: item,
      ...(ConditionExpression && {
        ConditionExpression,
        ExpressionAttributeNames: placeholders(names),
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      }),
    },
  } satisfies TransactEntry;
}

/** Writes an item that must not exist yet; if it does, the failure includes it. */
export function putNewEntry(item: Item & Key) {
  return {
    Put: {
      TableName: config().tableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  } as const satisfies TransactEntry;
}

/** Deletes an item, if the condition holds; without a condition, a missing item is not an error. */
export function deleteEntry(key: Key, condition: Condition = {}) {
  const { ConditionExpression, names, values } = conditionOf(condition);
  return {
    Delete: {
      ...target(key),
      ...(ConditionExpression && {
        ConditionExpression,
        ExpressionAttributeNames: placeholders(names),
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      }),
    },
  } satisfies TransactEntry;
}

/** Only the key attributes: callers may pass a whole item as its key. */
function target({ pk, sk }: Key) {
  return { TableName: config().tableName, Key: { pk, sk } };
}

function conditionOf({ equals = {}, absent = [], below = {} }: Condition) {
  const clauses = [
    ...Object.keys(equals).map((name) => `#${name} = :is_${name}`),
    ...absent.map((name) => `attribute_not_exists(#${name})`),
    ...Object.keys(below).map((name) => `(attribute_not_exists(#${name}) OR #${name} < :below_${name})`),
  ];
  return {
    ConditionExpression: clauses.join(' AND '),
    names: [...Object.keys(equals), ...absent, ...Object.keys(below)],
    values: { ...prefixed(':is_', equals), ...prefixed(':below_', below) },
  };
}

function placeholders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`#${name}`, name]));
}

function prefixed(prefix: string, values: Item): Item {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
}
