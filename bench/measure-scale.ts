import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';
import { formatDocument, writePicture } from './performance-report.ts';
import type { LinePicture } from './pictures.ts';
import { hotApplication, hotHistory, importOfUsers, manyApplications, type Served } from './scale-scenarios.ts';

const file = join(import.meta.dirname, '../docs/scale.md');
const [begin, end] = ['<!-- simulation: begin -->', '<!-- simulation: end -->'] as const;
const cacheSeconds = [0, 10] as const;

/** Simulates hot applications against DynamoDB's partition limits, and writes the results into `docs/scale.md`. */
export async function measureScale({ progress }: BenchContext): Promise<Measurement> {
  progress('Simulating the partitions');
  const scenarios = playScenarios();
  const [before = '', , after = ''] = parts();
  writeFileSync(file, `${before}${begin}\n\n${scenarioText(scenarios)}\n\n${end}${after}`);
  formatDocument(file);
  for (const picture of pictures(scenarios)) await writePicture(picture);
  return {
    budgets: budgetsOf(scenarios),
    figures: { getsPerSecond: Math.max(...(scenarios.hotApplication[0]?.points ?? []).map((each) => each.served)) },
    samples: { scenarios },
    report: [
      'Hot applications against the limits of partitions and items, [with pictures](scale.md#simulation). It is seeded: the same code gives the same figures.',
    ],
  };
}

/** The part of `docs/scale.md` that the simulation writes. */
export function writtenScenarios(): string {
  return (parts()[1] ?? '').trim();
}

function parts(): string[] {
  const found = readFileSync(file, 'utf8').split(new RegExp(`${begin}|${end}`));
  if (found.length !== 3) throw new Error(`${file} lacks its markers`);
  return found;
}

/** Every scenario; always the same. */
export function playScenarios() {
  return {
    hotApplication: cacheSeconds.map((seconds) => ({ seconds, points: hotApplication(seconds) })),
    manyApplications: { uncached: manyApplications(0), cached: manyApplications(10) },
    hotHistory: { oneUnit: hotHistory(1), twoUnits: hotHistory(2) },
    importOfUsers: { ascending: importOfUsers('ascending'), random: importOfUsers('random') },
  };
}

type Scenarios = ReturnType<typeof playScenarios>;

/** What `docs/scale.md` says of them, between its markers. */
export function scenarioText({ hotApplication: hot, manyApplications: many, ...others }: Scenarios): string {
  const { oneUnit, twoUnits } = others.hotHistory;
  const { ascending, random } = others.importOfUsers;
  return [
    '### One application sends more and more requests',
    markdownTable(
      ['GETs a second', ...cacheSeconds.map((seconds) => `served, \`keyStateCacheSeconds\` ${seconds}`)],
      (hot[0]?.points ?? []).map(({ rate }, at) => [whole(rate), ...hot.map(({ points }) => served(points, at))]),
    ),
    '![GETs of one application that are served](images/scale-application.svg)',
    "### A thousand applications, the k-th with 1/k of the first one's requests",
    markdownTable(
      [
        'GETs a second in all',
        'of the largest application',
        'applications beyond one item',
        'read units, of what a new table takes',
        'throttled after an hour',
        'the same, `keyStateCacheSeconds` 10',
      ],
      many.uncached.map(({ rate, topRate, beyond, ofNewTable, throttled }, at) => [
        ...[whole(rate), whole(topRate), beyond, `${ofNewTable.toFixed(1)} ×`],
        ...[percent(throttled), percent(many.cached[at]?.throttled ?? Number.NaN)],
      ]),
    ),
    '### One application writes more and more changes',
    markdownTable(
      ['changes a second', 'served, Changes of 1 KB', 'served, Changes of 2 KB', "of another application's served"],
      oneUnit.map(({ rate, neighbour }, at) => [
        ...[whole(rate), served(oneUnit, at), served(twoUnits, at), percent(neighbour)],
      ]),
    ),
    '![Changes of one application that are served](images/scale-history.svg)',
    '### Users are imported',
    markdownTable(
      ['users created a second', 'served, ids in ascending order', 'served, ids in random order'],
      ascending.map(({ rate }, at) => [whole(rate), served(ascending, at), served(random, at)]),
    ),
  ].join('\n\n');
}

function pictures({ hotApplication: hot, hotHistory: { oneUnit, twoUnits } }: Scenarios): LinePicture[] {
  const axes = { kind: 'lines', xLabel: 'sent, a second', yLabel: 'served, a second' } as const;
  const points = (all: readonly Served[]) =>
    all.map((each) => ({ x: each.rate, lower: each.served, median: each.served, upper: each.served }));
  return [
    {
      ...axes,
      file: 'scale-application.svg',
      title: 'GETs of one application that are served, by keyStateCacheSeconds',
      series: hot.map((each) => ({ label: `${each.seconds} s`, points: points(each.points) })),
    },
    {
      ...axes,
      file: 'scale-history.svg',
      title: 'Changes of one application that are served, by the size of a Change',
      series: [
        { label: 'up to 1 KB', points: points(oneUnit) },
        { label: 'up to 2 KB', points: points(twoUnits) },
      ],
    },
  ];
}

function budgetsOf({ hotApplication: hot, manyApplications: many, hotHistory: { oneUnit, twoUnits } }: Scenarios) {
  const [uncached = Number.NaN, cached = Number.NaN] = hot.map(({ points }) =>
    Math.max(...points.map((each) => each.served)),
  );
  const throttled = Math.max(...many.cached.map((each) => each.throttled * 100));
  const neighbours = Math.min(...[...oneUnit, ...twoUnits].map(({ neighbour }) => neighbour * 100));
  return [
    atLeast('simulated: GETs a second of one application', uncached, 2900, '1/s'),
    atLeast('simulated: the same with keyStateCacheSeconds 10', cached, 10_000, '1/s'),
    atMost('simulated: throttled at 40,000 GETs a second of 1,000 applications, with it', throttled, 0, '%'),
    atLeast("simulated: an application's changes beside one beyond its limit", neighbours, 100, '%'),
  ];
}

function served(points: readonly Served[], at: number): string {
  return whole(points[at]?.served ?? Number.NaN);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
