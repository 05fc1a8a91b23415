import { markdownTable } from './markdown.ts';
import type { LinePlot } from './plot.ts';
import {
  hotApplication,
  hotHistory,
  importOfUsers,
  jump,
  type ManyApplications,
  manyApplications,
  meetingApplications,
  type Served,
} from './scale-scenarios.ts';

const cacheSeconds = [0, 10] as const;

/** Every scenario, played through; always the same. */
export function playScenarios() {
  return {
    hotApplication: cacheSeconds.map((seconds) => ({ seconds, points: hotApplication(seconds) })),
    manyApplications: { uncached: manyApplications(0), cached: manyApplications(10) },
    hotHistory: { oneUnit: hotHistory(1), twoUnits: hotHistory(2) },
    importOfUsers: { ascending: importOfUsers('ascending'), random: importOfUsers('random') },
    meetingApplications: meetingApplications(),
    jump: { withoutBurst: jump(0), withBurst: jump(300) },
  };
}

export type Scenarios = ReturnType<typeof playScenarios>;

/** What `docs/scale.md` says of them, between its markers. */
export function scenarioText(scenarios: Scenarios): string {
  return [
    hotApplicationText(scenarios),
    manyApplicationsText(scenarios),
    historyText(scenarios),
    importText(scenarios),
    meetingText(scenarios),
    jumpText(scenarios),
  ].join('\n\n');
}

/** The pictures of the document. */
export function scenarioPlots({ hotApplication: hot, hotHistory: history }: Scenarios): LinePlot[] {
  return [
    {
      kind: 'lines',
      file: 'scale-application.svg',
      title: 'GETs of one application that are served, by keyStateCacheSeconds',
      xLabel: 'asked for, a second',
      yLabel: 'served, a second',
      series: hot.map(({ seconds, points }) => ({ label: `${seconds} s`, points: points.map(point) })),
    },
    {
      kind: 'lines',
      file: 'scale-history.svg',
      title: 'Changes of one application that are served, by the size of a Change',
      xLabel: 'asked for, a second',
      yLabel: 'served, a second',
      series: [
        { label: 'up to 1 KB', points: history.oneUnit.map(point) },
        { label: 'up to 2 KB', points: history.twoUnits.map(point) },
      ],
    },
  ];
}

function point({ rate, served }: Served) {
  return { x: rate, lower: served, median: served, upper: served };
}

function hotApplicationText({ hotApplication: hot }: Scenarios): string {
  const [first] = hot;
  const rows = (first?.points ?? []).map(({ rate }, at) => [
    whole(rate),
    ...hot.map(({ points }) => whole(points[at]?.served ?? Number.NaN)),
  ]);
  const head = ['GETs a second', ...cacheSeconds.map((seconds) => `served, \`keyStateCacheSeconds\` ${seconds}`)];
  return `### One application asks more and more\n\n${markdownTable(head, rows)}\n\n![GETs of one application that are served](images/scale-application.svg)`;
}

function manyApplicationsText({ manyApplications: { uncached, cached } }: Scenarios): string {
  const row = ({ rate, topRate, beyond, ofNewTable, throttled }: ManyApplications, at: number) => [
    whole(rate),
    whole(topRate),
    beyond,
    `${ofNewTable.toFixed(1)} ×`,
    percent(throttled),
    percent(cached[at]?.throttled ?? Number.NaN),
  ];
  const head = [
    'GETs a second in all',
    'of the largest application',
    'applications beyond one item',
    'read units, of what a new table takes',
    'throttled after an hour',
    'the same, `keyStateCacheSeconds` 10',
  ];
  return `### A thousand applications, the k-th with 1/k of the first one's requests\n\n${markdownTable(head, uncached.map(row))}`;
}

function historyText({ hotHistory: { oneUnit, twoUnits } }: Scenarios): string {
  const rows = oneUnit.map(({ rate, served, neighbour }, at) => [
    whole(rate),
    whole(served),
    whole(twoUnits[at]?.served ?? Number.NaN),
    percent(neighbour),
  ]);
  const head = [
    'changes a second',
    'served, Changes of 1 KB',
    'served, Changes of 2 KB',
    "of another application's served",
  ];
  return `### One application changes more and more\n\n${markdownTable(head, rows)}\n\n![Changes of one application that are served](images/scale-history.svg)`;
}

function importText({ importOfUsers: { ascending, random } }: Scenarios): string {
  const rows = ascending.map(({ rate, served }, at) => [
    whole(rate),
    whole(served),
    whole(random[at]?.served ?? Number.NaN),
  ]);
  const head = ['users created a second', 'served, ids in ascending order', 'served, ids in any order'];
  return `### Users are imported\n\n${markdownTable(head, rows)}`;
}

function meetingText({ meetingApplications: minutes }: Scenarios): string {
  const [first = Number.NaN] = minutes;
  const settledAt = minutes.findIndex((share) => share > 0.999);
  return `### Large applications meet on one partition\n\nEight applications with 1,400 GETs a second each come to a table that was just made, and some of their items lie on the same of its four partitions: ${percent(first)} of their reads are served, until after ${settledAt} minutes the partitions have been split between them, and all are.`;
}

function jumpText({ jump: { withoutBurst, withBurst } }: Scenarios): string {
  return `### One application jumps from 1,000 to 4,500 GETs a second for ten minutes\n\nWithout anything saved up, ${whole(withoutBurst.at(-1) ?? Number.NaN)} a second are served. With all that DynamoDB may keep of five minutes, ${whole(Math.min(...withBurst.slice(10)))} or more in each minute. Reckon with the former: AWS promises no burst.`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
