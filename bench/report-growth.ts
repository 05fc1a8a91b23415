import { atMost, type Budget } from './budget.ts';
import type { FillTimes } from './fill-database.ts';
import { type ByName, type Name, names, populations, small } from './growth-tables.ts';
import { markdownTable } from './markdown.ts';
import type { Paging } from './measure-paging.ts';
import type { Measurement } from './measurement.ts';
import { median, pairedRatios, quartiles } from './statistics.ts';

/** Of one population, by round. */
export interface GetSamples {
  readonly milliseconds: number[];
  readonly cpuMicroseconds: number[];
}

/** A GET's units, as counted and by the rule. */
export interface UnitCount {
  readonly counted: number;
  readonly byRule: number;
}

/** What was found of tables that grow. */
export interface GrowthFindings {
  readonly fillTimes: FillTimes;
  readonly rounds: number;
  readonly requestsPerRound: number;
  /** Items a second of the slow way to fill a table. */
  readonly batchWrites: number;
  readonly gets: ByName<GetSamples>;
  readonly units: ByName<UnitCount>;
  readonly paging: Paging;
}

/** What the bench reports of it. */
export function reportGrowth(findings: GrowthFindings): Measurement {
  const { fillTimes, rounds, requestsPerRound, batchWrites, gets, units, paging } = findings;
  const { items, exportSeconds, importSeconds } = fillTimes;
  const perSecond = Math.round(items / (exportSeconds + importSeconds)).toLocaleString('en-US');
  return {
    title: 'Growth',
    budgets: [...budgets(gets, units), ...paging.budgets],
    samples: { gets, units, fillTimes, batchWritesPerSecond: batchWrites, paging: paging.samples },
    report: [
      `${items.toLocaleString('en-US')} items, made by the service's own builders, were written as an export of DynamoDB in ${exportSeconds} s and imported into the local engine in ${importSeconds} s: ${perSecond} a second, where \`BatchWriteItem\` makes ${Math.round(batchWrites).toLocaleString('en-US')} in memory. The deployed bundle of each table runs in a process of its own; they take turns for ${rounds} rounds of ${requestsPerRound} GETs about users by chance. What a table of DynamoDB takes for its size is DynamoDB's promise; that the service asks a large one for no more than a small one is measured here.`,
      getTable(gets, units),
      ruleText(gets),
      {
        kind: 'bars',
        file: 'performance-growth.svg',
        title: 'A GET, by what the table holds',
        unit: 'ms',
        bars: names.map((name) => ({ label: labelOf(name), ...quartiles(gets[name].milliseconds) })),
      },
      ...paging.report,
    ],
  };
}

const grown = names.filter((name) => /users|applications/.test(name));

function budgets(gets: ByName<GetSamples>, units: ByName<UnitCount>): Budget[] {
  const floor = gets['growth-small'];
  const ratio = (name: Name, of: keyof GetSamples) => median(pairedRatios(gets[name][of], floor[of]));
  const unlike = names.filter((name) => units[name].counted !== units[name].byRule);
  return [
    ...grown.flatMap((name) => [
      atMost(`GET with ${labelOf(name)}: latency / with the least`, ratio(name, 'milliseconds'), 1.1, '×'),
      atMost(`GET with ${labelOf(name)}: CPU / with the least`, ratio(name, 'cpuMicroseconds'), 1.1, '×'),
      atMost(
        `GET with ${labelOf(name)}: units / with the least`,
        units[name].counted / units['growth-small'].counted,
        1,
        '×',
      ),
    ]),
    atMost('tables where a GET takes other units than by the rule', unlike.length, 0, ''),
  ];
}

function getTable(gets: ByName<GetSamples>, units: ByName<UnitCount>): string {
  const head = ['table', 'ms', 'to the first', 'CPU, µs', 'to the first', 'read units', 'by the rule'];
  const floor = gets['growth-small'];
  const ratio = (name: Name, of: keyof GetSamples) => median(pairedRatios(gets[name][of], floor[of])).toFixed(2);
  return markdownTable(
    head,
    names.map((name) => [
      labelOf(name),
      median(gets[name].milliseconds).toFixed(2),
      ratio(name, 'milliseconds'),
      median(gets[name].cpuMicroseconds).toFixed(0),
      ratio(name, 'cpuMicroseconds'),
      units[name].counted,
      units[name].byRule,
    ]),
  );
}

function ruleText(gets: ByName<GetSamples>): string {
  const cpu = (name: Name) => median(gets[name].cpuMicroseconds);
  const more = (name: Name, count: number) => ((cpu(name) - cpu('growth-small')) / count).toFixed(1);
  const perKey = more('growth-10-keys', populations['growth-10-keys'].keysPerApplication - small.keysPerApplication);
  const perRole = more('growth-200-roles', populations['growth-200-roles'].rolesPerUser);
  return `The rule for keys and roles: a GET reads three items, and each takes one unit for each 4 KB begun. An application's item stays in one unit with up to about 25 keys, an access with up to about 65 roles, and 200 roles take 3. Time grows with what is read: here by ${perKey} µs of CPU for each further key and ${perRole} µs for each role, all of which are in the answer.`;
}

function labelOf(name: Name): string {
  if (name === 'growth-small') return '10 users, 1 application, 1 key, 0 roles';
  return name
    .replace('growth-', '')
    .replace('-', ' ')
    .replace(/\d+/, (count) => Number(count).toLocaleString('en-US'));
}
