import { countCapacity } from './count-capacity.ts';
import { type Invocation, invokeService } from './create-events.ts';
import { type FilledDatabase, fillDatabase } from './filled-database.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { type Population, userIdAt } from './populations.ts';
import { median, pairedRatios, seededRandom, shuffled } from './statistics.ts';

/** Processes of each subject, one after the other: a single process may be off by 15 %. */
const processes = 5;
const rounds = 5;
const getsPerRound = 50;
const warmUpBatches = 6;

const small: Population = { users: 10, accesses: 10, applications: 1, keysPerApplication: 1, rolesPerUser: 0 };
const many = 100_000;

/**
 * Each table differs from the first in one respect. A GET reads three items, each of which takes one unit per started 4 KB.
 */
const tables = [
  { label: '10 users, 1 application, 1 key, 0 roles', population: small, readUnits: 3, isFlat: true },
  { label: '1,000 users', population: { ...small, users: 1000, accesses: 1000 }, readUnits: 3, isFlat: true },
  { label: '100,000 users', population: { ...small, users: many, accesses: many }, readUnits: 3, isFlat: true },
  { label: '1,000 applications', population: { ...small, applications: 1000 }, readUnits: 3, isFlat: true },
  { label: '10 keys', population: { ...small, keysPerApplication: 10 }, readUnits: 3, isFlat: false },
  { label: '200 roles', population: { ...small, rolesPerUser: 200 }, readUnits: 7, isFlat: false },
] as const;

const tableNames = tables.map((_, at) => `growth-${at}`);

/** A subject of the measurement: what is invoked, in which table, and the results by process. */
interface Subject {
  readonly label: string;
  readonly tableName: string;
  readonly batch: () => readonly Invocation[];
  readonly milliseconds: number[];
  readonly cpuMicroseconds: number[];
  /** Per invocation. */
  readUnits: number;
}

/** Measures a GET in tables of different sizes. */
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
    return report(database, gets);
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
    return invokeService('get-access', { path: { userId } });
  });
}

/**
 * Measures all subjects in random order, several processes each, so that a slow moment of the machine affects all of them.
 * Each sample is the median of a process. Counts the read units at the end.
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

function report({ items, seconds }: FilledDatabase, gets: readonly Subject[]): Measurement {
  return {
    budgets: budgetsOf(gets),
    samples: { gets },
    report: [
      `${items.toLocaleString('en-US')} items were imported into the local engine in ${seconds.toFixed(0)} s. For each table, ${processes} processes, one after the other and in turns with those of the other tables, make ${rounds} rounds of ${getsPerRound} GETs for random users. This does not measure how DynamoDB scales; it shows that the service asks no more of a large table than of a small one.`,
      growthTable(gets),
      "A GET reads three items, and each takes one unit per started 4 KB. An application's item fits into one unit with up to about 25 keys, an access with up to about 40 roles; 200 roles take 5 units.",
    ],
  };
}

function budgetsOf(gets: readonly Subject[]): Budget[] {
  const wrong = gets.filter(({ readUnits }, at) => readUnits !== tables[at]?.readUnits);
  return [
    ...gets.flatMap((each, at) =>
      at === 0 || !tables[at]?.isFlat
        ? []
        : [
            atMost(`GET with ${each.label}: latency / smallest table`, ratio(each, gets[0], 'milliseconds'), 1.1, '×'),
            atMost(`GET with ${each.label}: CPU / smallest table`, ratio(each, gets[0], 'cpuMicroseconds'), 1.1, '×'),
          ],
    ),
    atMost('tables where the units of a GET differ from the design', wrong.length, 0, ''),
  ];
}

function growthTable(gets: readonly Subject[]): string {
  const head = ['table', 'ms', '/ first', 'CPU, µs', '/ first', 'read units'];
  const rows = gets.map((each) => [
    each.label,
    median(each.milliseconds).toFixed(2),
    ratio(each, gets[0], 'milliseconds').toFixed(2),
    median(each.cpuMicroseconds).toFixed(0),
    ratio(each, gets[0], 'cpuMicroseconds').toFixed(2),
    each.readUnits,
  ]);
  return markdownTable(head, rows);
}
