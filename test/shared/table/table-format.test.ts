import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  oldestRepairedFormat,
  tableFormat,
  tableFormatKey,
  tableFormatProblem,
} from '#shared/contract/table-format.ts';
import type * as Client from '#shared/table/client.ts';
import { type WatchedSdk, watchSdk } from '../../support/watch-sdk.ts';

const [table = ''] = [process.env.TABLE_NAME];
const key = (n: number) => ({ pk: `USER#${n}`, sk: 'USER' });

let client: typeof Client;
let sdk: WatchedSdk;
let format: unknown;
const asked = () =>
  sdk.requests.map(({ input }) =>
    input.RequestItems[table].Keys.map((each: Parameters<typeof unmarshall>[0]) => unmarshall(each).pk),
  );

beforeEach(async () => {
  await jest.isolateModulesAsync(async () => {
    client = await import('#shared/table/client.ts');
    sdk = watchSdk((await import('#shared/table/dynamodb.ts')).dynamoDb);
  });
  sdk.fault = async ({ input }) => {
    const keys = input.RequestItems[table].Keys.map((each: Parameters<typeof unmarshall>[0]) => unmarshall(each));
    const found = keys.flatMap((each: { pk: string }) => {
      if (each.pk !== tableFormatKey.pk) return [{ ...each, read: true }];
      return format === undefined ? [] : [{ ...each, format }];
    });
    return { response: { statusCode: 200 }, output: { $metadata: {}, Responses: { [table]: found } } };
  };
});
afterEach(() => {
  sdk.fault = undefined;
});

test.each([
  ['that has no application yet', undefined],
  ['of this format', tableFormat],
])('a process reads the format of a table %s once, with its first keys', async (_, found) => {
  format = found;
  expect(await client.readItems([key(1), key(2)])).toEqual([1, 2].map((n) => ({ ...key(n), read: true })));
  expect(await client.readItems([key(3)])).toEqual([{ ...key(3), read: true }]);
  expect(asked()).toEqual([['USER#1', 'USER#2', 'FORMAT'], ['USER#3']]);
});

test('a process that asks for the format itself reads it once', async () => {
  format = tableFormat;
  const [item, user] = await client.readItems([tableFormatKey, key(1)]);
  expect([item?.format, user?.pk, asked()]).toEqual([tableFormat, 'USER#1', [['USER#1', 'FORMAT']]]);
});

test('the first keys are read separately if they do not fit into a request with others', async () => {
  format = tableFormat;
  await client.readItems(Array.from({ length: 100 }, (_, n) => key(n)));
  await client.readItems([key(1)]);
  expect(asked().map((keys) => keys.length)).toEqual([100, 2]);
});

test.each([
  ['higher', tableFormat + 1, /^The table has format 3, and this version knows formats up to 2\. Deploy/],
  ['lower', tableFormat - 1, /^The table has format 1, and this version needs format 2\. Follow "Table format 2"/],
  ['damaged', 'private', /^The format of the table cannot be read\./],
])(
  'a table with a %s format is refused, with advice in the log, until it has the right one',
  async (_, found, said) => {
    format = found;
    expect(tableFormatProblem(found)).toMatch(said);
    for (const n of [1, 2]) {
      await expect(client.readItems([key(n)])).rejects.toMatchObject({
        code: 'unavailable',
        options: {
          detail: expect.stringContaining("Contact the service's operators"),
          cause: { message: expect.stringMatching(said) },
        },
      });
    }
    format = tableFormat;
    expect(await client.readItems([key(3)])).toHaveLength(1);
  },
);

test('a repair reads a table of an older format, and nothing else does until it has this one', async () => {
  format = oldestRepairedFormat;
  expect(await client.withOlderFormat(() => client.readItems([key(1)]))).toHaveLength(1);
  await expect(client.readItems([key(2)])).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked()).toEqual([
    ['USER#1', 'FORMAT'],
    ['USER#2', 'FORMAT'],
  ]);
  format = tableFormat;
  expect(await client.readItems([key(3)])).toHaveLength(1);
});

test.each([tableFormat + 1, 0, 'private'])('a repair refuses a table of the format %j', async (found) => {
  format = found;
  await expect(client.withOlderFormat(() => client.readItems([key(1)]))).rejects.toMatchObject({ code: 'unavailable' });
});
