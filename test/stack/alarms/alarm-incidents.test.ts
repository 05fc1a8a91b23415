import { describe, expect, test } from '@jest/globals';
import { functionIdsOf, synthesizeTemplate } from '../synthesized-stack.ts';
import { alarmMinutes, type Source } from './alarm-evaluator.ts';
import { conditionsOf } from './conditions.ts';
import { type AlarmIncident, incidents } from './incidents.ts';
import { busy, type Incident, ordinaryValue, quiet, slow, subjectOf, type Traffic } from './metric-streams.ts';

const template = await synthesizeTemplate({
  stage: 'prod',
  webhooks: 'standard,set',
  headsBucket: 'authservice-backupvault-heads',
  reservedConcurrency: '{"get-access":200,"manage":20}',
});
const conditions = conditionsOf(template);
const alarms = new Map([...conditions.values()].map(({ alarm, properties }) => [alarm, properties]));
const functionNames = new Map([...functionIdsOf(template)].map(([name, id]) => [id, name]));

/** Before the first hour has passed, alarms over an hour have too little data. */
const firstHour = 60;
const begins = 80;

function sourceOf(traffic: Traffic, incident?: Incident): Source {
  return (metric, minute) => {
    const of = subjectOf(metric, (id) => functionNames.get(id));
    const { name, statistic } = metric;
    const value = minute < begins ? undefined : incident?.({ name, of, minute });
    const isNormal = minute < begins || incident === undefined || value === 'normal';
    const given = isNormal ? ordinaryValue({ name, of, minute, statistic }, traffic) : (value as number | undefined);
    return given;
  };
}

const readings = [
  ['if FILL also fills metrics without data', true],
  ['if FILL needs some data', false],
] as const;

test('every alarm has an incident, for each function that it watches', () => {
  expect([...new Set(incidents.map(({ alarm }) => alarm))].sort()).toEqual([...conditions.keys()].sort());
});

describe.each(readings)('%s', (_, fillsEmpty) => {
  const evaluate = (name: string, source: Source, minutes: number) =>
    alarmMinutes(alarms.get(name) ?? {}, { source, minutes, fillsEmpty }).filter((minute) => minute > firstHour);

  test.each(incidents.map((incident) => [incident.alarm, incident.title, incident] as const))(
    '%s goes off and stays: %s',
    (name, _title, { traffic, incident, within }: AlarmIncident) => {
      const end = begins + within + 60;
      const found = evaluate(conditions.get(name)?.alarm ?? '', sourceOf(traffic, incident), end);
      expect(found[0]).toBeGreaterThan(begins);
      expect(found[0]).toBeLessThanOrEqual(begins + within);
      expect(found.at(-1)).toBeGreaterThan(end - 5);
    },
  );

  test.each([
    ['1 request a minute', quiet],
    ['5 requests a minute', slow],
    ['5,000 requests a second', busy],
  ])('no alarm goes off on an ordinary day at %s', (_rate, traffic) => {
    const noisy = [...alarms.keys()].map((name) => [name, evaluate(name, sourceOf(traffic), 240)] as const);
    expect(noisy.filter(([, found]) => found.length > 0)).toEqual([]);
  });
});
