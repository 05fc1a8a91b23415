import { atMost, type Budget } from './budget.ts';
import { countCapacity } from './count-capacity.ts';
import { manageAsk } from './create-events.ts';
import { markdownTable } from './markdown.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import type { Plot } from './plot.ts';
import { appIdAt } from './populations.ts';
import { seededRandom, shuffled } from './random.ts';
import type { Stage } from './stage.ts';
import { median, pairedRatios, quartiles } from './statistics.ts';

const lists = {
  'all users': '/api/manage/users?limit=100',
  'users of an application': `/api/manage/applications/${appIdAt(0)}/users?limit=100`,
} as const;
type List = keyof typeof lists;

const positions = ['first', 'middle', 'last'] as const;
type Position = (typeof positions)[number];

const rounds = 31;
const pagesPerRound = 10;
/** Points of the plot along the list. */
const stretches = 10;

/** What the report of growth says of long lists. */
export interface Paging {
  readonly budgets: readonly Budget[];
  readonly samples: unknown;
  readonly report: Measurement['report'];
}

interface Page {
  readonly milliseconds: number;
  readonly items: number;
  /** Of this page, not of the next. */
  readonly target: string;
}

/** Walks two lists of a table from end to end, then asks for their first, middle and last page in turns. */
export async function pagingOf(stage: Stage, tableName: string, { progress }: BenchContext): Promise<Paging> {
  const functions = openFunctions({ bundles: stage.bundles, dynamodb: stage.dynamodb, tableName });
  const walks = new Map<List, Page[]>();
  const times = new Map<List, Record<Position, number[]>>();
  const units = new Map<List, Record<Position, number>>();
  try {
    for (const list of Object.keys(lists) as List[]) {
      progress(`Walking through the list of ${list}`);
      const pages = await walk(functions, lists[list]);
      walks.set(list, pages);
      times.set(list, await measurePages(functions, pages));
      units.set(list, await countPages(stage, tableName, pages));
    }
  } finally {
    await functions.close();
  }
  return report({ walks, times, units });
}

async function walk(functions: OpenFunctions, list: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let target = list; ; ) {
    const { answers } = await functions.run([manageAsk('GET', target)]);
    const [{ body = '', milliseconds } = { milliseconds: Number.NaN }] = answers;
    const { items, cursor } = JSON.parse(body) as { items: unknown[]; cursor: string | null };
    pages.push({ milliseconds, items: items.length, target });
    if (cursor === null) return pages;
    target = `${list}&cursor=${cursor}`;
  }
}

function pageAt(pages: readonly Page[], position: Position): string {
  const at = { first: 0, middle: Math.floor(pages.length / 2), last: pages.length - 1 }[position];
  return pages[at]?.target ?? '';
}

async function measurePages(functions: OpenFunctions, pages: readonly Page[]): Promise<Record<Position, number[]>> {
  const samples: Record<Position, number[]> = { first: [], middle: [], last: [] };
  const random = seededRandom(1);
  for (let round = 0; round < rounds; round++) {
    for (const position of shuffled(positions, random)) {
      const asks = Array.from({ length: pagesPerRound }, () => manageAsk('GET', pageAt(pages, position)));
      const { answers } = await functions.run(asks);
      samples[position].push(median(answers.map(({ milliseconds }) => milliseconds)));
    }
  }
  return samples;
}

async function countPages(stage: Stage, tableName: string, pages: readonly Page[]): Promise<Record<Position, number>> {
  const counter = await countCapacity(stage.dynamodb);
  const functions = openFunctions({ bundles: stage.bundles, dynamodb: counter.endpoint, tableName });
  const units = { first: Number.NaN, middle: Number.NaN, last: Number.NaN };
  for (const position of positions) {
    await functions.run([manageAsk('GET', pageAt(pages, position))]);
    units[position] = counter.take().readUnits;
  }
  await functions.close();
  await counter.close();
  return units;
}

interface Findings {
  readonly walks: ReadonlyMap<List, readonly Page[]>;
  readonly times: ReadonlyMap<List, Readonly<Record<Position, readonly number[]>>>;
  readonly units: ReadonlyMap<List, Readonly<Record<Position, number>>>;
}

function report({ walks, times, units }: Findings): Paging {
  const all = [...walks.keys()];
  const ratio = (list: List, position: Position) =>
    median(pairedRatios(times.get(list)?.[position] ?? [], times.get(list)?.first ?? []));
  const head = ['list', 'page', 'ms', 'to the first', 'read units'];
  return {
    budgets: all.flatMap((list) => [
      atMost(`middle page / first, of ${list}`, ratio(list, 'middle'), 1.1, '×'),
      atMost(`last page / first, of ${list}`, ratio(list, 'last'), 1.1, '×'),
      atMost(`units of the dearest page / first, of ${list}`, dearest(units.get(list)), 1, '×'),
    ]),
    samples: { times: Object.fromEntries(times), units: Object.fromEntries(units) },
    report: [
      `Both lists were walked from end to end, 100 items a page: ${all.map((list) => `${countOf(walks.get(list))} ${list}`).join(', ')}. Each page begins where its cursor says, so none costs more than another; a page of an application's users also reads those 100 users. The table was measured in turns; the picture is of the one walk, and so also shows what else the machine had to do.`,
      markdownTable(
        head,
        all.flatMap((list) =>
          positions.map((position) => [
            list,
            position,
            median(times.get(list)?.[position] ?? []).toFixed(1),
            ratio(list, position).toFixed(2),
            units.get(list)?.[position] ?? Number.NaN,
          ]),
        ),
      ),
      plot(walks),
    ],
  };
}

function dearest(units: Readonly<Record<Position, number>> | undefined): number {
  return units === undefined ? Number.NaN : Math.max(...Object.values(units)) / units.first;
}

function countOf(pages: readonly Page[] = []): string {
  return pages.reduce((sum, { items }) => sum + items, 0).toLocaleString('en-US');
}

function plot(walks: Findings['walks']): Plot {
  return {
    kind: 'lines',
    file: 'performance-pages.svg',
    title: 'A page of 100, by its place in the list',
    xLabel: 'items before it',
    yLabel: 'ms',
    series: [...walks].map(([label, pages]) => ({
      label,
      points: Array.from({ length: stretches }, (_, at) => {
        const [from, to] = [at, at + 1].map((edge) => Math.floor((edge / stretches) * pages.length));
        return { x: (from ?? 0) * 100, ...quartiles(pages.slice(from, to).map(({ milliseconds }) => milliseconds)) };
      }),
    })),
  };
}
