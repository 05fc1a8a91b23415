import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Change } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { createSalt, lowestUlid } from '#shared/core/ids.ts';
import { chainChange, type UnchainedChange } from '#shared/integrity/change-mac.ts';
import { changeKey, changeOf, putChangeEntries } from '#shared/table/items/change-item.ts';
import { tableName } from './bench-environment.ts';
import { type CapacityCounter, countCapacity } from './count-capacity.ts';
import { invokeService } from './create-events.ts';
import { atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { appId, userIdAt, type WrittenTable, writeTable } from './written-table.ts';

const [few, many] = [1000, 10_000];
const perUser = 4;

interface Bench extends WrittenTable {
  readonly functions: OpenFunctions;
  readonly counter: CapacityCounter;
}

/** Counts what changes that have no number, and those that a reader has missed, cost a reader, and what their numbers cost. */
export async function measureBacklog(context: BenchContext): Promise<Measurement> {
  const table = await writeTable(context, { users: 1, accesses: 1 });
  const counter = await countCapacity(table.dynamodb);
  const functions = openFunctions({ ...table, environment: { AWS_ENDPOINT_URL_DYNAMODB: counter.endpoint } });
  const bench = { ...table, functions, counter };
  try {
    const model = await readModel(table);
    await addPending(table, model, [0, few]);
    const first = await walk('all', table.cursor, bench);
    context.progress(`Numbering ${few} changes`);
    const numbers = await numberAll(model, bench);
    const behind = await walk('all', table.cursor, bench);
    await addPending(table, model, [few, few + many]);
    context.progress(`Reading ${many} changes without a number`);
    const all = await walk('all', behind.cursor, bench);
    const begun = await walk('new', behind.cursor, bench);
    const known = await walk('new', begun.cursor, bench);
    const rows: (readonly [string, Walk])[] = [
      [`${few.toLocaleString('en-US')} without a number`, first],
      [`${many.toLocaleString('en-US')} without a number`, all],
      ['the same, which the reader has had', known],
      [`${few.toLocaleString('en-US')} with numbers, missed`, behind],
    ];
    return {
      budgets: [
        atMost('units of 10,000 without a number / of 1,000', all.units / first.units, 11, '×'),
        atMost('units of a page beside its 100 changes', all.mostBeside, 12),
        atMost('units for 100 changes that the reader has had', (known.units / many) * 100, 5),
        atMost('units of a page of missed changes beside them', behind.mostBeside, 12),
        atMost('largest answer', Math.max(...rows.map(([, { largest }]) => largest)) / 1000, 100, 'KB'),
        atMost('write units for 100 numbers', (numbers.units / few) * 100, 120),
      ],
      samples: { first, all, begun, known, behind, numbers },
      report: [
        `All changes after a position are read with pages of 100, in process as a function is invoked; ${perUser} changes of each user. Units are those of the table.`,
        markdownTable(
          ['changes', 'answers', 'read units', 'for 100', 'most of an answer', 'CPU of an answer, ms'],
          rows.map(([name, { pages, units, most, changes, cpu }]) => [
            name,
            pages,
            Math.round(units),
            ((units / changes) * 100).toFixed(1),
            Math.round(most),
            (cpu / pages / 1000).toFixed(1),
          ]),
        ),
        `Numbering ${few.toLocaleString('en-US')} changes took ${((numbers.requests / few) * 100).toFixed(0)} requests and ${((numbers.units / few) * 100).toFixed(0)} write units for 100 of them, and ${(numbers.milliseconds / few).toFixed(2)} ms for each on this machine. A feed is one partition key, which takes 1,000 write units a second. So at most ${Math.round(1000 / (numbers.units / few))} changes a second of a backlog get their numbers, and 100,000 take ${Math.round((100 * numbers.units) / few)} s.`,
      ],
    };
  } finally {
    await functions.close();
    await counter.close();
    await table.close();
  }
}

/** A change of an access, as the service has written it. */
async function readModel({ dynamodb: endpoint }: WrittenTable): Promise<Change> {
  const client = new DynamoDBClient({ endpoint });
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(new ScanCommand({ TableName: tableName }));
  client.destroy();
  return changeOf(Items.find(({ action, sk }) => action === 'access.changed' && /^CHANGE#/.test(sk)) ?? {});
}

/** Adds such changes to the feed of the application, from one number up to another. */
async function addPending({ dynamodb: endpoint }: WrittenTable, model: Change, [from, to]: readonly [number, number]) {
  const client = new DynamoDBClient({ endpoint });
  const documents = DynamoDBDocumentClient.from(client);
  // It reads the environment that this process sets.
  const { latestChainKey } = await import('#shared/keys/chain-keys.ts');
  const key = await latestChainKey();
  const items = Array.from({ length: to - from }, (_, at) => changeAt(model, from + at))
    .map((change) => chainChange(change, { previous: null, salt: createSalt() }, key))
    .flatMap((change) => putChangeEntries(change))
    .map(({ Put }) => ({ PutRequest: { Item: { ...Put?.Item } } }));
  for (let at = 0; at < items.length; at += 25) {
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: items.slice(at, at + 25) } }));
  }
  client.destroy();
}

const madeFrom = Date.now() - 120_000;

function changeAt({ integrity: _, ...model }: Change, number: number): UnchainedChange {
  const at = new Date(madeFrom + number);
  const userId = userIdAt(1 + (number % (many / perUser))) as UserId;
  return { ...model, appId, userId, id: lowestUlid(at), at: at.toISOString() };
}

interface Walk {
  readonly changes: number;
  readonly pages: number;
  readonly units: number;
  /** The most units of a page, and the most beside one for each of its changes. */
  readonly most: number;
  readonly mostBeside: number;
  /** The bytes of the largest answer. */
  readonly largest: number;
  /** In microseconds. */
  readonly cpu: number;
  readonly cursor: string;
}

/** Reads everything after a cursor. */
async function walk(pending: 'all' | 'new', from: string, { functions, counter, key }: Bench): Promise<Walk> {
  const read: { units: number; beside: number; changes: number; bytes: number; cpu: number }[] = [];
  for (let [after, more] = [from, true]; ; ) {
    counter.take();
    const invocation = invokeService('list-changes', { query: { limit: 100, after, pending } }, key);
    const { answers, cpuMicroseconds: cpu } = await functions.run([invocation]);
    const body = answers[0]?.body ?? '';
    const { items, omitted = 0, cursor, more: follows } = JSON.parse(body);
    const { readUnits: units } = counter.take();
    const changes = items.length + omitted;
    read.push({ units, beside: units - items.length, changes, bytes: Buffer.byteLength(body), cpu });
    [after, more] = [cursor, follows];
    if (more) continue;
    const sum = (of: (page: (typeof read)[number]) => number) => read.reduce((total, page) => total + of(page), 0);
    return {
      changes: sum((page) => page.changes),
      pages: read.length,
      units: sum((page) => page.units),
      most: Math.max(...read.map((page) => page.units)),
      // The first page looks for the block of the position.
      mostBeside: Math.max(...read.slice(1).map((page) => page.beside), 0),
      largest: Math.max(...read.map(({ bytes }) => bytes)),
      cpu: sum((page) => page.cpu),
      cursor: after,
    };
  }
}

/** Gives all changes their numbers, by one invocation with one record of the stream. */
async function numberAll(model: Change, { functions, counter }: Bench) {
  const { pk, sk } = changeKey(model);
  const images = { Keys: marshall({ pk, sk }), NewImage: marshall(model, { removeUndefinedValues: true }) };
  const record = { eventName: 'INSERT', dynamodb: { SequenceNumber: '1', ...images } };
  counter.take();
  const { answers } = await functions.run([
    { name: 'number-changes', event: { Records: [record] }, limitSeconds: 900 },
  ]);
  const { requests, tableWriteUnits: units } = counter.take();
  return { requests, units, milliseconds: answers[0]?.milliseconds ?? 0 };
}
