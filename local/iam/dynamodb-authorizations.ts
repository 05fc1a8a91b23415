import * as v from 'valibot';
import { parse } from '../template-resources.ts';
import type { Authorization, RequestContext } from './authorization.ts';

/** The parts of a table that permissions depend on. */
export interface GuardedTable {
  readonly name: string;
  readonly arn: string;
  /** The names of the partition keys, of the table and of each index. */
  readonly partitionKey: string;
  readonly indexKeys: Readonly<Record<string, string>>;
}

/**
 * Lists the permissions that IAM checks for one call of DynamoDB's API, from its JSON. A transaction needs the
 * permission for each of its entries. `dynamodb:LeadingKeys` are the partition keys (of the index if one is queried),
 * and `dynamodb:Attributes` the top-level attributes that the call names. Throws for an operation that the service does
 * not use.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function dynamodbAuthorizations(operation: string, json: unknown, table: GuardedTable): Authorization[] {
  const read = operations.get(operation);
  if (read === undefined) throw new Error(`DynamoDB's ${operation} has no known permission.`);
  return read(json, table);
}

const attributes = v.record(v.string(), v.record(v.string(), v.unknown()));
const text = v.optional(v.string());
const names = v.optional(v.record(v.string(), v.string()), {});
/** Parameters that no permission depends on. */
const ignored = v.optional(v.unknown());
const read = { ConsistentRead: ignored, ProjectionExpression: text, ExpressionAttributeNames: names };
const entry = {
  TableName: v.string(),
  ConditionExpression: text,
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: ignored,
  // Has no condition key: a failed condition can return the whole item.
  ReturnValuesOnConditionCheckFailure: ignored,
};
const single = { ReturnValues: text, ReturnConsumedCapacity: text };
/** A parameter that is missing here could change which permissions a request needs, so it is rejected. */
const entrySchemas = {
  Put: v.strictObject({ ...entry, ...single, Item: attributes }),
  Update: v.strictObject({ ...entry, ...single, Key: attributes, UpdateExpression: v.string() }),
  Delete: v.strictObject({ ...entry, ...single, Key: attributes }),
  ConditionCheck: v.strictObject({ ...entry, Key: attributes }),
};
type EntryKind = keyof typeof entrySchemas;

const transactionSchema = v.strictObject({
  TransactItems: v.array(v.record(v.picklist(['Put', 'Update', 'Delete', 'ConditionCheck']), v.unknown())),
  ClientRequestToken: ignored,
  ReturnConsumedCapacity: text,
});
const batchSchema = v.strictObject({
  RequestItems: v.record(v.string(), v.strictObject({ ...read, Keys: v.array(attributes) })),
  ReturnConsumedCapacity: text,
});
const querySchema = v.strictObject({
  ...read,
  TableName: v.string(),
  IndexName: text,
  KeyConditionExpression: v.string(),
  FilterExpression: text,
  ExpressionAttributeValues: attributes,
  Select: text,
  Limit: ignored,
  ScanIndexForward: ignored,
  ExclusiveStartKey: ignored,
  ReturnConsumedCapacity: text,
});

const scanSchema = v.strictObject({
  ...read,
  TableName: v.string(),
  FilterExpression: text,
  Select: text,
  Limit: ignored,
  ExclusiveStartKey: ignored,
  ReturnConsumedCapacity: text,
});

const operations = new Map<string, (json: unknown, table: GuardedTable) => Authorization[]>([
  ['BatchGetItem', ofBatchGet],
  ['Query', ofQuery],
  ['Scan', ofScan],
  ['PutItem', (json, table) => [ofEntry('Put', json, table)]],
  ['UpdateItem', (json, table) => [ofEntry('Update', json, table)]],
  ['DeleteItem', (json, table) => [ofEntry('Delete', json, table)]],
  ['TransactWriteItems', ofTransaction],
]);

function ofBatchGet(json: unknown, table: GuardedTable): Authorization[] {
  const { RequestItems, ReturnConsumedCapacity } = parse(batchSchema, json, 'BatchGetItem');
  return Object.entries(RequestItems).map(([name, { Keys, ProjectionExpression, ExpressionAttributeNames }]) => ({
    action: 'dynamodb:BatchGetItem',
    resource: arnOf(name, table),
    context: {
      'dynamodb:LeadingKeys': Keys.map((key) => keyValue(key, table.partitionKey)),
      'dynamodb:Attributes': [
        ...new Set([...Keys.flatMap(Object.keys), ...topLevelNames([ProjectionExpression], ExpressionAttributeNames)]),
      ],
      'dynamodb:ReturnConsumedCapacity': ReturnConsumedCapacity,
    },
  }));
}

function ofQuery(json: unknown, table: GuardedTable): Authorization[] {
  const query = parse(querySchema, json, 'Query');
  const { TableName, IndexName, KeyConditionExpression, ReturnConsumedCapacity, Select } = query;
  const partitionKey = IndexName === undefined ? table.partitionKey : table.indexKeys[IndexName];
  if (partitionKey === undefined) throw new Error(`The table has no index ${IndexName}.`);
  const resource = arnOf(TableName, table) + (IndexName === undefined ? '' : `/index/${IndexName}`);
  const named = [KeyConditionExpression, query.FilterExpression, query.ProjectionExpression];
  return [
    {
      action: 'dynamodb:Query',
      resource,
      context: {
        'dynamodb:LeadingKeys': [queriedKey(query, partitionKey)],
        'dynamodb:Attributes': topLevelNames(named, query.ExpressionAttributeNames),
        'dynamodb:ReturnConsumedCapacity': ReturnConsumedCapacity,
        'dynamodb:Select': Select,
      },
    },
  ];
}

/** Without a projection, all attributes are returned, and none is named. */
function ofScan(json: unknown, table: GuardedTable): Authorization[] {
  const { TableName, ExpressionAttributeNames, ...scan } = parse(scanSchema, json, 'Scan');
  return [
    {
      action: 'dynamodb:Scan',
      resource: arnOf(TableName, table),
      context: {
        'dynamodb:Attributes': topLevelNames(
          [scan.ProjectionExpression, scan.FilterExpression],
          ExpressionAttributeNames,
        ),
        'dynamodb:ReturnConsumedCapacity': scan.ReturnConsumedCapacity,
        'dynamodb:Select': scan.Select,
      },
    },
  ];
}

/** Finds the value that the key condition compares the partition key with; DynamoDB allows only `=`. */
function queriedKey(query: v.InferOutput<typeof querySchema>, partitionKey: string): string {
  const { KeyConditionExpression, ExpressionAttributeNames: names, ExpressionAttributeValues: values } = query;
  for (const [, name = '', value = ''] of KeyConditionExpression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === partitionKey) return keyValue(values, value);
  }
  throw new Error(`The key condition of the Query does not name ${partitionKey}.`);
}

function ofTransaction(json: unknown, table: GuardedTable): Authorization[] {
  const { TransactItems, ReturnConsumedCapacity } = parse(transactionSchema, json, 'TransactWriteItems');
  return TransactItems.flatMap((entry) =>
    Object.entries(entry).map(([kind, part]) =>
      ofEntry(kind as EntryKind, part, table, {
        'dynamodb:EnclosingOperation': 'TransactWriteItems',
        'dynamodb:ReturnConsumedCapacity': ReturnConsumedCapacity,
      }),
    ),
  );
}

function ofEntry(kind: EntryKind, json: unknown, table: GuardedTable, enclosing: RequestContext = {}): Authorization {
  const entry = parse(entrySchemas[kind], json, kind);
  const written = 'Item' in entry ? entry.Item : entry.Key;
  const expressions = [entry.ConditionExpression, 'UpdateExpression' in entry ? entry.UpdateExpression : undefined];
  return {
    action: `dynamodb:${kind}Item`,
    resource: arnOf(entry.TableName, table),
    context: {
      'dynamodb:LeadingKeys': [keyValue(written, table.partitionKey)],
      'dynamodb:Attributes': [
        ...new Set([...Object.keys(written), ...topLevelNames(expressions, entry.ExpressionAttributeNames)]),
      ],
      'dynamodb:ReturnValues': 'ReturnValues' in entry ? entry.ReturnValues : undefined,
      'dynamodb:ReturnConsumedCapacity': 'ReturnConsumedCapacity' in entry ? entry.ReturnConsumedCapacity : undefined,
      ...enclosing,
    },
  };
}

const words = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** Finds the first name of each document path in expressions, ignoring functions, values and keywords. */
function topLevelNames(
  expressions: readonly (string | undefined)[],
  names: Readonly<Record<string, string>>,
): string[] {
  const paths = expressions.join(' ').matchAll(/(?<![.:#\w])(#\w+|[A-Za-z_]\w*)(?!\w|\s*\()/g);
  const heads = [...paths].map(([, head = '']) => head).filter((head) => !words.has(head.toUpperCase()));
  return [...new Set(heads.map((head) => names[head] ?? head))];
}

function keyValue(attributeMap: v.InferOutput<typeof attributes>, name: string): string {
  const [value] = Object.values(attributeMap[name] ?? {});
  if (typeof value !== 'string') throw new Error(`The request has no string value for the key ${name}.`);
  return value;
}

function arnOf(name: string, table: GuardedTable): string {
  if (name !== table.name) throw new Error(`The request names ${name}, which is not the table ${table.name}.`);
  return table.arn;
}
