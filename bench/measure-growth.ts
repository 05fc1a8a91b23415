import { countCapacity } from './count-capacity.ts';
import { type Invocation, invokeManagement, invokeService } from './create-events.ts';
import { type FilledDatabase, fillDatabase } from './filled-database.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { appIdAt, type Population, userIdAt } from './populations.ts';
import { median, pairedRatios, seededRandom, shuffled } from './statistics.ts';

/** Processes of each subject, one after the other: a single one may be off by 15 %. */
const processes = 5;
const rounds = 5;
const getsPerRound = 50;
const pagesPerRound = 10;
const warmUpBatches = 6;

const small: Population = { users: 10, accesses: 10, applications: 1, keysPerApplication: 1, rolesPerUser: 0 };
const many = 100_000;

/** Each table differs from the first in one respect. A GET reads three items, each takes one unit per 4 KB begun. */
const tables = [
  { label: '10 users, 1 application, 1 key, 0 roles', population: small, readUnits: 3, isFlat: true },
  { label: '1,000 users', population: { ...small, users: 1000, accesses: 1000 }, readUnits: 3, isFlat: true },
  { label: '100,000 users', population: { ...small, users: many, accesses: many }, readUnits: 3, isFlat: true },
  { label: '1,000 applications', population: { ...small, applications: 1000 }, readUnits: 3, isFlat: true },
  { label: '10 keys', population: { ...small, keysPerApplication: 10 }, readUnits: 3, isFlat: false },
  { label: '200 roles', population: { ...small, rolesPerUser: 200 }, readUnits: 5, isFlat: false },
] as const;

const tableNames = tables.map((_, at) => `growth-${at}`);
const largest = 2;

const lists = {
  'all users': '/api/manage/users?limit=100',
  'users of an application': `/api/manage/applications/${appIdAt(0)}/users?limit=100`,
} as const;
const places = ['first', 'middle', 'last'] as const;

/** One thing that is measured: what is invoked, in which table, and what that took, by process. */
interface Subject {
  readonly label: string;
  readonly tableName: string;
  readonly batch: () => readonly Invocation[];
  readonly milliseconds: number[];
  readonly cpuMicroseconds: number[];
  /** Per invocation. */
  readUnits: number;
}

/** What a GET takes in tables of different sizes, and a page at the beginning, the middle and the end of a long list. */
export async function measureGrowth(context: BenchContext): Promise<Measurement> {
  const database = await fillDatabase(
    Object.fromEntries(tables.map(({ population }, at) => [tableNames[at] ?? '', population])),
    context,
  );
  try {
    const gets = tables.map(({ label, population }, at) =>
      subject(label, tableNames[at] ?? '', () => randomGets(population)),
    );
    context.progress(`${processes} processes with ${rounds} rounds of ${getsPerRound} GETs in each table`);
    await measure(database, gets);
    context.progress('The pages of long lists');
    const pages = await findPages(database);
    await measure(database, pages);
    return report(database, gets, pages);
  } finally {
    await database.close();
  }
}

function subject(label: string, tableName: string, batch: Subject['batch']): Subject {
  return { label, tableName, batch, milliseconds: [], cpuMicroseconds: [], readUnits: Number.NaN };
}

function randomGets({ accesses }: Population): Invocation[] {
  return Array.from({ length: getsPerRound }, () => {
    const userId = userIdAt(Math.floor(Math.random() * accesses));
    return invokeService({ method: 'GET', target: `/api/service/users/${userId}/access` });
  });
}

/** Walks each list of the largest table from cursor to cursor, and takes three of its pages. */
async function findPages(database: FilledDatabase): Promise<Subject[]> {
  const tableName = tableNames[largest] ?? '';
  const functions = open(database, tableName);
  const found: Subject[] = [];
  for (const [list, target] of Object.entries(lists)) {
    const targets = await walk(functions, target);
    for (const [at, place] of places.entries()) {
      const page = targets[Math.round((at / 2) * (targets.length - 1))] ?? '';
      const batch = () => Array.from({ length: pagesPerRound }, () => invokeManagement('GET', page));
      found.push(subject(`${list}, ${place} page of ${targets.length.toLocaleString('en-US')}`, tableName, batch));
    }
  }
  await functions.close();
  return found;
}

async function walk(functions: OpenFunctions, list: string): Promise<string[]> {
  const targets = [list];
  for (;;) {
    const { answers } = await functions.run([invokeManagement('GET', targets.at(-1) ?? list)]);
    const { cursor } = JSON.parse(answers[0]?.body ?? '') as { cursor: string | null };
    if (cursor === null) return targets;
    targets.push(`${list}&cursor=${cursor}`);
  }
}

/**
 * Several processes for each subject, and in each of them all subjects in random turns, so that what slows the machine down
 * slows all; then the units. Each sample is the median of a process.
 */
async function measure(database: FilledDatabase, subjects: readonly Subject[]): Promise<void> {
  const random = seededRandom(1);
  for (let at = 0; at < processes; at++) await sampleProcesses(database, subjects, random);
  for (const each of subjects) each.readUnits = await countUnits(database, each);
}

async function sampleProcesses(
  database: FilledDatabase,
  subjects: readonly Subject[],
  random: () => number,
): Promise<void> {
  const opened = new Map(subjects.map((each) => [each, open(database, each.tableName)]));
  const taken = new Map(subjects.map((each) => [each, noSamples()]));
  for (const [each, functions] of opened) {
    for (let done = 0; done < warmUpBatches; done++) await functions.run(each.batch());
  }
  for (let round = 0; round < rounds; round++) {
    for (const [each, functions] of shuffled([...opened], random)) {
      const { answers, cpuMicroseconds } = await functions.run(each.batch());
      taken.get(each)?.milliseconds.push(median(answers.map(({ milliseconds }) => milliseconds)));
      taken.get(each)?.cpuMicroseconds.push(cpuMicroseconds / answers.length);
    }
  }
  await Promise.all([...opened.values()].map((functions) => functions.close()));
  for (const [each, { milliseconds, cpuMicroseconds }] of taken) {
    each.milliseconds.push(median(milliseconds));
    each.cpuMicroseconds.push(median(cpuMicroseconds));
  }
}

function noSamples(): { milliseconds: number[]; cpuMicroseconds: number[] } {
  return { milliseconds: [], cpuMicroseconds: [] };
}

async function countUnits(database: FilledDatabase, { tableName, batch }: Subject): Promise<number> {
  const counter = await countCapacity(database.dynamodb);
  const functions = open({ ...database, dynamodb: counter.endpoint }, tableName);
  await functions.run(batch());
  counter.take();
  const { answers } = await functions.run(batch());
  const { readUnits } = counter.take();
  await functions.close();
  await counter.close();
  return readUnits / answers.length;
}

function open({ fileOf, dynamodb }: FilledDatabase, tableName: string): OpenFunctions {
  return openFunctions({ fileOf, environment: { TABLE_NAME: tableName, AWS_ENDPOINT_URL_DYNAMODB: dynamodb } });
}

type Aspect = 'milliseconds' | 'cpuMicroseconds';

function ratio(each: Subject, floor: Subject | undefined, aspect: Aspect): number {
  return median(pairedRatios(each[aspect], floor?.[aspect] ?? []));
}

function report({ items, seconds }: FilledDatabase, gets: readonly Subject[], pages: readonly Subject[]): Measurement {
  const firstPage = (at: number) => pages[at - (at % places.length)];
  return {
    budgets: [
      ...getBudgets(gets),
      ...Object.keys(lists).flatMap((list, at) =>
        pageBudgets(list, pages.slice(at * places.length, (at + 1) * places.length)),
      ),
    ],
    samples: { gets, pages },
    report: [
      `${items.toLocaleString('en-US')} items were imported into the local engine in ${seconds.toFixed(0)} s. For each table ${processes} processes one after the other, in turns with those of the other tables, make ${rounds} rounds of ${getsPerRound} GETs about random users. How DynamoDB itself grows is its own promise; measured here is that the service asks a large table for no more than a small one.`,
      subjectTable('table', gets, () => gets[0]),
      "A GET reads three items, and each takes one unit per 4 KB begun. An application's item stays in one unit with up to about 25 keys, an access with up to about 65 roles; 200 roles take 3 units.",
      "Pages of 100 from lists of the largest table. A cursor says where its page begins, so no page costs more than the first, which the units show; the limit of its time is 1.25 ×, because equal work has differed by a fifth between processes, and a page that read all before it would take ten times as long or more. A page of an application's users also reads those 100 users.",
      subjectTable('page', pages, firstPage),
    ],
  };
}

function getBudgets(gets: readonly Subject[]): Budget[] {
  const wrong = gets.filter(({ readUnits }, at) => readUnits !== tables[at]?.readUnits);
  return [
    ...gets.flatMap((each, at) =>
      at === 0 || !tables[at]?.isFlat
        ? []
        : [
            atMost(`GET with ${each.label}: latency / with the least`, ratio(each, gets[0], 'milliseconds'), 1.1, '×'),
            atMost(`GET with ${each.label}: CPU / with the least`, ratio(each, gets[0], 'cpuMicroseconds'), 1.1, '×'),
          ],
    ),
    atMost('tables where a GET takes other units than designed', wrong.length, 0, ''),
  ];
}

function pageBudgets(list: string, pages: readonly Subject[]): Budget[] {
  const latencies = pages.map((each) => ratio(each, pages[0], 'milliseconds'));
  const units = pages.map(({ readUnits }) => readUnits / (pages[0]?.readUnits ?? Number.NaN));
  return [
    atMost(`slowest page / first, of ${list}`, Math.max(...latencies), 1.25, '×'),
    atMost(`units of the most expensive page / first, of ${list}`, Math.max(...units), 1, '×'),
  ];
}

function subjectTable(
  title: string,
  subjects: readonly Subject[],
  floorOf: (at: number) => Subject | undefined,
): string {
  const head = [title, 'ms', '/ first', 'CPU, µs', '/ first', 'read units'];
  const rows = subjects.map((each, at) => [
    each.label,
    median(each.milliseconds).toFixed(2),
    ratio(each, floorOf(at), 'milliseconds').toFixed(2),
    median(each.cpuMicroseconds).toFixed(0),
    ratio(each, floorOf(at), 'cpuMicroseconds').toFixed(2),
    each.readUnits,
  ]);
  return markdownTable(head, rows);
}
