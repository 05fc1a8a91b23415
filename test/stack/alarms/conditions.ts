import { functionIdsOf, resourcesOf, type Template } from '../synthesized-stack.ts';

/** A condition that an alarm watches: for one of its functions, or the only one. */
export interface Condition {
  /** The alarm's name, without that of the service. */
  readonly alarm: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** What is compared with the threshold: an expression with what it names inserted, or the name of a metric. */
  readonly expression: string;
  /** The metrics of which it is computed. */
  readonly metrics: readonly MetricStat[];
}

export interface MetricStat {
  readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly { Name: string; Value: unknown }[] };
  readonly Period: number;
  readonly Stat: string;
}

interface Entry {
  readonly Id: string;
  readonly Label?: string;
  readonly Expression?: string;
  readonly MetricStat?: MetricStat;
}

/** The kinds of alarms of which several functions share one. */
const shared =
  /^(errors|function-throttles|latency|refusals|reserved-concurrency)(?:-readers|-3000|-manage)?(?:-\d+)?$/;

/** What the alarms of a template watch, by the alarm's name, or by its kind and the function, such as `errors-get-access`. */
export function conditionsOf(template: Template, prefix = 'auth-service-'): Map<string, Condition> {
  const functionNames = new Map([...functionIdsOf(template)].map(([name, id]) => [id, name]));
  const alarms = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()];
  return new Map(
    alarms.flatMap(({ Properties }) => {
      const alarm = String(Properties.AlarmName).replace(prefix, '');
      return partsOf(Properties, functionNames).map(({ fn, ...part }) => {
        const kind = shared.exec(alarm)?.[1];
        const name = kind === undefined || fn === undefined ? alarm : `${kind}-${fn}`;
        return [name, { alarm, properties: Properties, ...part }] as const;
      });
    }),
  );
}

type Part = Pick<Condition, 'expression' | 'metrics'> & { readonly fn: string | undefined };

function partsOf(properties: Condition['properties'], functionNames: ReadonlyMap<string, string>): Part[] {
  const { Metrics, MetricName, Dimensions = [], Period, Statistic, ExtendedStatistic } = Object(properties);
  if (Metrics === undefined) {
    const metric = { Metric: { MetricName, Dimensions }, Period, Stat: Statistic ?? ExtendedStatistic };
    const [{ Name = '', Value = undefined } = {}] = Dimensions;
    const fn = Name === 'FunctionName' ? functionNames.get(Object(Value).Ref) : undefined;
    return [{ fn, expression: MetricName, metrics: [metric] }];
  }
  const entries = new Map((Metrics as Entry[]).map((entry) => [entry.Id, entry]));
  const [watched] = entries.values();
  const members = /^MAX\(\[((?:function\d+(?:, )?)+)\]\)$/.exec(watched?.Expression ?? '')?.[1]?.split(', ');
  const parts = members?.flatMap((id) => entries.get(id) ?? []) ?? (watched === undefined ? [] : [watched]);
  return parts.map((part) => ({
    fn: [...functionNames.values()].find((name) => name === part.Label),
    expression: part.Expression ?? part.MetricStat?.Metric.MetricName ?? '',
    metrics: metricsOf(part, entries),
  }));
}

function metricsOf({ Expression = '', MetricStat }: Entry, entries: ReadonlyMap<string, Entry>): MetricStat[] {
  if (MetricStat !== undefined) return [MetricStat];
  if (Expression.includes('METRICS()')) return [...entries.values()].flatMap((entry) => entry.MetricStat ?? []);
  const ids = new Set(Expression.match(/\b[a-z]\w*/g));
  return [...ids].flatMap((id) => {
    const entry = entries.get(id);
    return entry === undefined ? [] : metricsOf(entry, entries);
  });
}
