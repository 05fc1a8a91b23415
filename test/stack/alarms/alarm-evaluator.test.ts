import { describe, expect, test } from '@jest/globals';
import { alarmMinutes, isBreached } from './alarm-evaluator.ts';

/** The tables of the CloudWatch guide, "Configuring how CloudWatch alarms treat missing data": X breaches, 0 does not. */
describe.each([
  ['3 of 3', 3, '0 - X - X', false, false],
  ['3 of 3', 3, '- - - - 0', false, false],
  ['3 of 3', 3, '- - - - -', true, false],
  ['3 of 3', 3, '0 X X - X', true, true],
  ['3 of 3', 3, '- - X - -', true, false],
  ['2 of 3', 2, '0 - X - X', true, true],
  ['2 of 3', 2, '0 0 X 0 X', true, true],
  ['2 of 3', 2, '0 - X - -', true, false],
  ['2 of 3', 2, '- - - - 0', true, false],
  ['2 of 3', 2, '- - - - X', true, false],
] as const)('%s datapoints', (_, datapointsToAlarm, points, breaching, notBreaching) => {
  const range = points.split(' ').map((point) => ({ X: 1, 0: 0 })[point as 'X']);
  test.each([
    [true, breaching],
    [false, notBreaching],
  ])(`${points}, where missing data breaches: %s`, (missingBreaches, expected) => {
    const breaches = (value: number) => value === 1;
    expect(isBreached({ evaluationPeriods: 3, datapointsToAlarm, breaches, missingBreaches }, range)).toBe(expected);
  });
});

const alarm = {
  Threshold: 5,
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  TreatMissingData: 'notBreaching',
  EvaluationPeriods: 1,
  DatapointsToAlarm: 1,
};
const stat = (Id: string, MetricName = Id) => ({
  Id,
  ReturnData: false,
  MetricStat: { Metric: { Namespace: 'N', MetricName }, Period: 60, Stat: 'Sum' },
});
const inMinutes = (Expression: string, values: Record<string, (number | undefined)[]>, fillsEmpty = false) =>
  alarmMinutes(
    { ...alarm, Metrics: [{ Id: 'watched', Expression }, ...Object.keys(values).map((id) => stat(id))] },
    { source: ({ name }, minute) => values[name]?.[minute], minutes: 4, fillsEmpty },
  );

describe('metric math', () => {
  test('has no value where a metric has none', () => {
    expect(inMinutes('a + b', { a: [5, 5, 5, 5], b: [0, undefined, 0, 0] })).toEqual([1, 2, 3, 4]);
    expect(inMinutes('a + b', { a: [undefined, 5, 5], b: [5, undefined, 0] })).toEqual([3, 4]);
  });

  test('FILL fills gaps, and an empty metric according to the option', () => {
    expect(inMinutes('FILL(a, 5)', { a: [0, undefined, 0, 0] })).toEqual([2]);
    const empty = { a: [undefined], b: [5, 5, 5, 5] };
    expect(inMinutes('FILL(a, 0) + b', empty, true)).toEqual([1, 2, 3, 4]);
    expect(inMinutes('FILL(a, 0) + b', empty, false)).toEqual([]);
  });

  test('sums and maxima of lists ignore metrics without data', () => {
    const values = { a: [5, undefined, 1, undefined], b: [undefined, 5, 4, undefined] };
    expect(inMinutes('SUM([a, b])', values)).toEqual([1, 2, 3, 4]);
    expect(inMinutes('MAX(METRICS())', values)).toEqual([1, 2]);
  });

  test('IF compares, and expressions can name expressions', () => {
    expect(inMinutes('IF(a >= 2, 100 * a, 0)', { a: [1, 2, 1, 2] })).toEqual([2, 4]);
    const Metrics = [
      { Id: 'watched', Expression: 'twice - 1' },
      { Id: 'twice', Expression: '2 * a', ReturnData: false },
    ];
    const source = () => 3;
    const options = { source, minutes: 1, fillsEmpty: false };
    expect(alarmMinutes({ ...alarm, Metrics: [...Metrics, stat('a')] }, options)).toEqual([1]);
  });

  test.each(['RATE(a)', 'a ^ 2', 'ANOMALY_DETECTION_BAND(a)', 'b'])(
    '%s causes an error instead of a guess',
    (expression) => {
      expect(() => inMinutes(expression, { a: [1, 1, 1, 1] })).toThrow(/does not know|is no metric/);
    },
  );
});

test.each([
  [{ Unknown: 1 }],
  [{ ComparisonOperator: 'GreaterThanThreshold' }],
  [{ TreatMissingData: 'ignore' }],
  [{ Namespace: 'N', MetricName: 'a', Period: 60, Statistic: 'Average' }],
])('an alarm with %j causes an error', (part) => {
  const single = { Namespace: 'N', MetricName: 'a', Period: 60, Statistic: 'Sum' };
  const options = { source: () => 0, minutes: 1, fillsEmpty: false };
  expect(() => alarmMinutes({ ...alarm, ...single, ...part }, options)).toThrow();
});
