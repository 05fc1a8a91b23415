/** A metric of a synthesized alarm, with a statistic. References in its dimensions are replaced by the id of their resource. */
export interface MetricOfAlarm {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
}

/** The value of a metric in a minute; undefined if none was published. */
export type Source = (metric: MetricOfAlarm, minute: number) => number | undefined;

export interface EvaluationOptions {
  readonly source: Source;
  readonly minutes: number;
  /** Whether FILL fills a metric that has no data in the whole evaluation range, which AWS does not document. */
  readonly fillsEmpty: boolean;
}

/**
 * Evaluates the definition of an alarm over some minutes and returns those after which it is in the state ALARM. Throws for
 * every property and expression that it does not know.
 */
export function alarmMinutes(properties: object, options: EvaluationOptions): number[] {
  const alarm = readAlarm(properties);
  const periods = Math.floor((options.minutes * 60) / alarm.period);
  const series = new Map(
    [...alarm.metrics].map(([id, metric]) => [id, aggregate(metric, alarm.period, periods, options.source)]),
  );
  const isAlarm = (last: number) => {
    const range = Array.from({ length: alarm.evaluationPeriods + extraPeriods }, (_, at) => last - at).reverse();
    return isBreached(alarm, valuesOf(alarm.watched, withExpressions(alarm, series, range, options), range, options));
  };
  return Array.from({ length: periods }, (_, at) => at)
    .filter(isAlarm)
    .map((at) => ((at + 1) * alarm.period) / 60);
}

/**
 * How many more datapoints CloudWatch looks at than it evaluates, as in its examples (CloudWatch guide, "Configuring how
 * CloudWatch alarms treat missing data").
 */
const extraPeriods = 2;

type Datapoint = number | undefined;

/**
 * The newest datapoints count, as many as there are evaluation periods. Only if the range has fewer, the missing ones are
 * treated as configured.
 */
export function isBreached(
  alarm: Pick<Alarm, 'evaluationPeriods' | 'datapointsToAlarm' | 'breaches' | 'missingBreaches'>,
  range: readonly Datapoint[],
): boolean {
  const { evaluationPeriods, datapointsToAlarm, breaches, missingBreaches } = alarm;
  const newest = range.filter((value) => value !== undefined).slice(-evaluationPeriods);
  const missing = evaluationPeriods - newest.length;
  const breaching = newest.filter(breaches).length + (missingBreaches ? missing : 0);
  return breaching >= datapointsToAlarm;
}

interface Alarm {
  /** In seconds. */
  readonly period: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly breaches: (value: number) => boolean;
  readonly missingBreaches: boolean;
  readonly metrics: ReadonlyMap<string, MetricOfAlarm>;
  /** The expressions by their ids, each after those that it names. */
  readonly expressions: ReadonlyMap<string, string>;
  /** The id of the metric or expression that the alarm watches. */
  readonly watched: string;
}

const ignored = ['AlarmName', 'AlarmDescription', 'ActionsEnabled', 'AlarmActions', 'OKActions', 'Tags'];
const known = [
  'Threshold',
  'ComparisonOperator',
  'EvaluationPeriods',
  'DatapointsToAlarm',
  'TreatMissingData',
  'Namespace',
  'MetricName',
  'Dimensions',
  'Period',
  'Statistic',
  'ExtendedStatistic',
  'Metrics',
];

function readAlarm(properties: object): Alarm {
  requireKnown(properties, [...ignored, ...known]);
  const { Threshold, ComparisonOperator, EvaluationPeriods, DatapointsToAlarm, TreatMissingData } = Object(properties);
  const breaches = {
    GreaterThanOrEqualToThreshold: (value: number) => value >= Threshold,
    LessThanThreshold: (value: number) => value < Threshold,
  }[ComparisonOperator as string];
  const missingBreaches = { breaching: true, notBreaching: false }[TreatMissingData as string];
  if (breaches === undefined || missingBreaches === undefined)
    throw new Error(`Unknown: ${ComparisonOperator}, ${TreatMissingData}`);
  const counts = { evaluationPeriods: EvaluationPeriods, datapointsToAlarm: DatapointsToAlarm ?? EvaluationPeriods };
  return { ...counts, breaches, missingBreaches, ...readMetrics(properties) };
}

function readMetrics(properties: object): Pick<Alarm, 'period' | 'metrics' | 'expressions' | 'watched'> {
  const { Metrics, Period, Statistic, ExtendedStatistic, ...metric } = Object(properties);
  if (Metrics === undefined) {
    const metrics = new Map([['m', metricOf(metric, Statistic ?? ExtendedStatistic)]]);
    return { period: Period, metrics, expressions: new Map(), watched: 'm' };
  }
  const periods = new Set<number>();
  const metrics = new Map<string, MetricOfAlarm>();
  const expressions = new Map<string, string>();
  let watched = '';
  for (const entry of Metrics) {
    requireKnown(entry, ['Id', 'Expression', 'Label', 'MetricStat', 'ReturnData', 'Period']);
    if (entry.ReturnData !== false) watched = entry.Id;
    if (entry.Expression !== undefined) expressions.set(entry.Id, entry.Expression);
    else {
      requireKnown(entry.MetricStat, ['Metric', 'Period', 'Stat', 'Unit']);
      periods.add(entry.MetricStat.Period);
      metrics.set(entry.Id, metricOf(entry.MetricStat.Metric, entry.MetricStat.Stat));
    }
  }
  const [period, ...others] = periods;
  if (period === undefined || others.length > 0) throw new Error(`Different periods: ${[...periods]}`);
  return { period, metrics, expressions: inOrder(expressions, watched), watched };
}

/** An expression after those that it names. */
function inOrder(expressions: ReadonlyMap<string, string>, id: string): Map<string, string> {
  const expression = expressions.get(id);
  if (expression === undefined) return new Map();
  const named = expression.match(/\b[a-z]\w*/g) ?? [];
  return new Map([...named.flatMap((one) => [...inOrder(expressions, one)]), [id, expression]]);
}

type Series = ReadonlyMap<string, readonly Datapoint[]>;

/** Adds the values of the expressions in a range. */
function withExpressions(
  { expressions }: Pick<Alarm, 'expressions'>,
  metrics: Series,
  range: readonly number[],
  options: EvaluationOptions,
): Series {
  const all = new Map(metrics);
  for (const [id, expression] of expressions) {
    const text = expression.replaceAll('METRICS()', `[${[...metrics.keys()]}]`);
    const values: Datapoint[] = [];
    for (const [at, value] of valuesOf(text, all, range, options).entries()) {
      const place = range[at] ?? -1;
      if (place >= 0) values[place] = value;
    }
    all.set(id, values);
  }
  return all;
}

function metricOf(metric: object, statistic: string): MetricOfAlarm {
  const { Namespace, MetricName, Dimensions = [] } = Object(metric);
  const dimensions = [...(Dimensions as { Name: string; Value: unknown }[])].map(({ Name, Value }) => [
    Name,
    textOf(Value),
  ]);
  return { namespace: Namespace, name: MetricName, dimensions: Object.fromEntries(dimensions), statistic };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = Object(value) as Intrinsic;
  if (join !== undefined) return join[1].map(textOf).join(join[0]);
  const id = Ref ?? attribute?.[0];
  if (id === undefined) throw new Error(`Unknown value ${JSON.stringify(value)}`);
  return id;
}

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [id: string, name: string];
  readonly 'Fn::Join'?: readonly [separator: string, parts: readonly unknown[]];
}

function requireKnown(value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`The evaluation does not know ${unknown}`);
}

/** Combines the minutes of each period. */
function aggregate(metric: MetricOfAlarm, period: number, periods: number, source: Source): Datapoint[] {
  const length = period / 60;
  const combine = { Sum: sum, SampleCount: sum, Maximum: max, p99: max }[metric.statistic];
  if (combine === undefined) throw new Error(`Unknown statistic ${metric.statistic}`);
  return Array.from({ length: periods }, (_, at) => {
    const minutes = Array.from({ length }, (_unused, minute) => source(metric, at * length + minute));
    const values = minutes.filter((value) => value !== undefined);
    return values.length === 0 ? undefined : combine(values);
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const max = (values: readonly number[]) => Math.max(...values);

class Missing extends Error {}

/** Everything that expressions may contain. A list or FILL takes metrics by id. */
const grammar = /^(?:IF|FILL|MAX|SUM|[a-z]\w*|\d+(?:\.\d+)?|>=|<=|[-+*/()<>,[\]]|\s)*$/;

/**
 * Evaluates a metric math expression at each datapoint of a range. It has no value where a metric outside of lists and FILL
 * has none (CloudWatch guide, "Using math expressions with CloudWatch metrics").
 */
function valuesOf(
  expression: string,
  series: Series,
  range: readonly number[],
  { fillsEmpty }: EvaluationOptions,
): Datapoint[] {
  if (!grammar.test(expression)) throw new Error(`The evaluation does not know ${expression}`);
  const code = expression
    .replaceAll(/\[([^\]]*)\]/g, (_, ids: string) => `[${ids.split(',').map((id) => `"${id.trim()}"`)}]`)
    .replaceAll(/FILL\((\w+),/g, 'FILL("$1",')
    .replaceAll(/(?<!["\w])[a-z]\w*\b(?!")/g, (id) => `at("${id}")`);
  const run = new Function('IF', 'FILL', 'MAX', 'SUM', 'at', `return ${code}`);
  return range.map((place) => {
    const lookUp = (id: string) => series.get(id)?.[place];
    const at = (id: string) => lookUp(id) ?? missing(id, series);
    const isEmpty = (id: string) => range.every((one) => series.get(id)?.[one] === undefined);
    const fill = (id: string, value: number) =>
      lookUp(id) ?? (isEmpty(id) && !fillsEmpty ? missing(id, series) : value);
    const ofList = (combine: typeof sum) => (ids: readonly string[]) => {
      const values = ids.map(lookUp).filter((value) => value !== undefined);
      return values.length === 0 ? missing(ids.join(), series) : combine(values);
    };
    // Before the metrics began.
    if (place < 0) return undefined;
    try {
      return run((met: unknown, one: number, other: number) => (met ? one : other), fill, ofList(max), ofList(sum), at);
    } catch (error) {
      if (error instanceof Missing) return undefined;
      throw error;
    }
  });
}

function missing(id: string, series: ReadonlyMap<string, unknown>): never {
  for (const one of id.split(','))
    if (!series.has(one)) throw new Error(`The expression names ${one}, which is no metric`);
  throw new Missing();
}
