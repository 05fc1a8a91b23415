import { Draw } from './draw.ts';
import type { OperationName } from './simulated-dynamodb.ts';

/** One request to a table, as passed to the document client. */
export interface TableCommand {
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
}

type Members = Readonly<Record<string, unknown>>;

/** Draws requests of every supported kind, for so few items that most requests find one. */
export function randomCommands(TableName: string, random: () => number): () => TableCommand {
  const draw = new Draw(random);
  let tokens = 0;

  const key = () => ({ pk: draw.oneOf('p1', 'p2'), sk: draw.oneOf('s1', 's2', 's3', 'S1', 't', 'sé', 's\u{1F600}') });
  const value = () =>
    draw.oneOf<unknown>(
      'x',
      'y',
      'Y',
      'é',
      '\uffff',
      '\u{1F600}',
      0,
      1,
      2,
      -1,
      true,
      false,
      null,
      { c: 1 },
      { c: 2 },
      [1],
    );
  const name = () => draw.oneOf('a', 'b', 'version');
  const item = () => ({
    ...key(),
    ...(draw.chance(0.6) && { gsi1pk: 'g1', gsi1sk: draw.oneOf('s1', 's2', 't') }),
    ...(draw.chance(0.6) && { a: value() }),
    ...(draw.chance(0.4) && { b: value() }),
    ...(draw.chance(0.6) && { version: draw.between(0, 2) }),
    undefinedIsLeftOut: undefined,
  });

  const returned = () => draw.chance(0.5) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  const test = (): Given => {
    const [one, other] = [name(), name()];
    const names = { [`#${one}`]: one };
    const values = { ':v': value() };
    return draw.oneOf<Given>(
      { text: `attribute_exists(#${one})`, names, values: {} },
      { text: `attribute_not_exists(#${one})`, names, values: {} },
      { text: `#${one} = :v`, names, values },
      { text: `#${one} <> :v`, names, values },
      { text: `#${one} ${draw.oneOf('<', '<=', '>', '>=')} :v`, names, values: { ':v': draw.between(0, 2) } },
      { text: `#${one} < :v`, names, values: { ':v': draw.oneOf('x', 'é', '\u{1F600}') } },
      { text: `#${one} BETWEEN :v AND :w`, names, values: { ':v': 0, ':w': 1 } },
      { text: `attribute_not_exists(#${one}) OR #${other} = :v`, names: { ...names, [`#${other}`]: other }, values },
      { text: `(attribute_exists(#${one}) AND #${other} = :v)`, names: { ...names, [`#${other}`]: other }, values },
      { text: `NOT #${one} = :v`, names, values },
    );
  };
  const tested = ({ text, names, values }: Given) => ({
    ConditionExpression: text,
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });
  const condition = () => draw.chance(0.6) && tested(test());

  const put = () => ({ TableName, Item: item(), ...condition(), ...returned() });
  const remove = () => ({ TableName, Key: key(), ...condition(), ...returned() });
  const check = () => ({ TableName, Key: key(), ...tested(test()), ...returned() });
  const update = () => {
    const set = draw.oneOf('#s = :s', '#s = if_not_exists(#s, :s)');
    const removed = draw.chance(0.4) && { '#r': 'r' };
    const { text, names, values } = draw.chance(0.6) ? test() : { text: undefined, names: {}, values: {} };
    return {
      TableName,
      Key: key(),
      UpdateExpression: `SET ${set}${removed ? ' REMOVE #r' : ''}`,
      ...(text !== undefined && { ConditionExpression: text }),
      ExpressionAttributeNames: { ...names, '#s': draw.oneOf('a', 'b', 'version', 'r2'), ...removed },
      ExpressionAttributeValues: { ...values, ':s': value() },
      ...returned(),
    };
  };

  const batchGet = (): Members => ({
    RequestItems: { [TableName]: { Keys: draw.list(0, 4, key), ConsistentRead: true } },
  });
  const transaction = (): Members => ({
    TransactItems: draw.list(1, 4, () =>
      draw.oneOf<() => Members>(
        () => ({ Put: put() }),
        () => ({ Update: update() }),
        () => ({ Delete: remove() }),
        () => ({ ConditionCheck: check() }),
      )(),
    ),
    ClientRequestToken: `${TableName}-${draw.chance(0.1) ? tokens : ++tokens}`,
  });
  const query = (): Members => {
    const isIndex = draw.chance(0.5);
    const range = draw.oneOf<{ readonly text: string; readonly values: Members }>(
      { text: '', values: {} },
      { text: ' AND #sk BETWEEN :first AND :last', values: { ':first': 's', ':last': 's\u{10FFFF}' } },
      { text: ' AND #sk BETWEEN :first AND :last', values: { ':first': 's1', ':last': 's2' } },
      { text: ' AND #sk > :above', values: { ':above': draw.oneOf('s2', 't', 'sé') } },
    );
    const filter = draw.oneOf(undefined, undefined, '#a = :a', '#a <> :a');
    const { sk } = key();
    const start = isIndex ? { gsi1pk: 'g1', gsi1sk: 's2', pk: 'p1', sk } : { pk: 'p1', sk };
    return {
      TableName,
      ...(isIndex && { IndexName: 'gsi1' }),
      ConsistentRead: !isIndex,
      KeyConditionExpression: `#pk = :pk${range.text}`,
      ExpressionAttributeNames: {
        '#pk': isIndex ? 'gsi1pk' : 'pk',
        ...(range.text !== '' && { '#sk': isIndex ? 'gsi1sk' : 'sk' }),
        ...(filter && { '#a': 'a' }),
      },
      ...(filter && { FilterExpression: filter }),
      ExpressionAttributeValues: { ':pk': isIndex ? 'g1' : 'p1', ...range.values, ...(filter && { ':a': value() }) },
      ScanIndexForward: draw.chance(0.5),
      Limit: draw.between(1, 5),
      ...(range.text === '' && draw.chance(0.5) && { ExclusiveStartKey: start }),
    };
  };

  return () =>
    draw.oneOf<() => TableCommand>(
      () => ({ operation: 'BatchGetItem', input: batchGet() }),
      () => ({ operation: 'Query', input: query() }),
      () => ({ operation: 'PutItem', input: put() }),
      () => ({ operation: 'UpdateItem', input: update() }),
      () => ({ operation: 'DeleteItem', input: remove() }),
      () => ({ operation: 'TransactWriteItems', input: transaction() }),
    )();
}

/** A condition with the values of its placeholders. */
interface Given {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Members;
}
