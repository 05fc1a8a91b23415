import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { AlarmDefinition } from './alarm-definition.ts';

/** What an alarm watches of one function. */
export interface Watched {
  readonly fn: EndpointFunction;
  /** Labelled with the function's name, which the alarm's graph shows. */
  readonly metric: IMetric;
  /** The metrics of which it is computed. */
  readonly metrics: number;
}

/** An alarm metric takes ten metrics. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html */
const maxMetrics = 10;

export interface GroupedAlarm extends Omit<AlarmDefinition, 'metric' | 'name' | 'description' | 'rollsBack'> {
  /** The alarm's name or, of several, the part before the number. */
  readonly kind: string;
  /** The description, given the names of the functions. */
  readonly describe: (names: string) => string;
  /** What it rolls back, given its functions. Default: nothing. */
  readonly rollsBack?: (functions: readonly EndpointFunction[]) => AlarmDefinition['rollsBack'];
}

/**
 * The same alarm for many functions, in as few alarms as possible: one for each function would be a resource each. Each watches the
 * function that is worst, and names all of its functions.
 */
export function groupedAlarms(
  { kind, describe, rollsBack = () => false, ...definition }: GroupedAlarm,
  watched: readonly Watched[],
): AlarmDefinition[] {
  return groupsOf(watched).map((group, at, { length }) => {
    const functions = group.map(({ fn }) => fn);
    return {
      section: kind,
      ...definition,
      name: length === 1 ? kind : `${kind}-${at + 1}`,
      description: describe(anyOf(functions.map(({ name }) => name))),
      metric: worstOf(group),
      rollsBack: rollsBack(functions) ?? false,
    };
  });
}

function groupsOf(watched: readonly Watched[]): Watched[][] {
  const groups: Watched[][] = [];
  let room = 0;
  for (const one of watched) {
    if (one.metrics > room) {
      groups.push([]);
      room = maxMetrics;
    }
    room -= one.metrics;
    groups.at(-1)?.push(one);
  }
  return groups;
}

/** The highest value, of those that have one: like sums, maxima of a list ignore metrics without data. */
function worstOf(group: readonly Watched[]): IMetric {
  const [first, ...others] = group.map(({ metric }) => metric);
  if (first === undefined || others.length === 0) return first as IMetric;
  const usingMetrics = Object.fromEntries(group.map(({ metric }, at) => [`function${at}`, metric]));
  const { period } = first as MathExpression;
  return new MathExpression({
    expression: `MAX([${Object.keys(usingMetrics).join(', ')}])`,
    usingMetrics,
    label: 'The highest of them',
    period,
  });
}

function anyOf(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}
