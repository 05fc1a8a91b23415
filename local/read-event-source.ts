import * as v from 'valibot';
import { parse, type TemplateResources } from './template-resources.ts';

/** An event source mapping of the table's stream. */
export interface EventSourceModel {
  /** The logical id of the function. */
  readonly functionId: string;
  readonly batchSize: number;
  readonly maxAgeSeconds: number;
  /** A record is delivered if it matches one of them, or if the list is empty. */
  readonly filters: readonly FilterPattern[];
}

/** A pattern of Lambda's event filtering, limited to the rules that the local run supports: equal and prefix. */
export interface FilterPattern {
  readonly [name: string]: FilterPattern | readonly FilterRule[];
}
export type FilterRule = string | { readonly prefix: string };

/** Reads the stack's event source mappings. */
export function readEventSources(resources: TemplateResources): EventSourceModel[] {
  return resources.idsOf(['AWS::Lambda::EventSourceMapping']).map((id) => readEventSource(resources, id));
}

function readEventSource(resources: TemplateResources, id: string): EventSourceModel {
  const mapping = resources.read(id, mappingSchema);
  return {
    functionId: mapping.FunctionName.replace(/:.*/, ''),
    batchSize: mapping.BatchSize,
    maxAgeSeconds: mapping.MaximumRecordAgeInSeconds,
    filters: mapping.FilterCriteria.Filters.map(({ Pattern }) => readPattern(Pattern, id)),
  };
}

/** Whether a record matches a pattern. */
export function matchesFilter(record: unknown, pattern: FilterPattern): boolean {
  return Object.entries(pattern).every(([name, expected]) => {
    const value: unknown = Object(record)[name];
    return isRules(expected) ? expected.some((rule) => matchesRule(value, rule)) : matchesFilter(value, expected);
  });
}

/** Accepts only settings that the poller implements. */
const mappingSchema = v.object({
  /** Optionally with an alias at the end. */
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 100),
  MaximumRecordAgeInSeconds: v.number(),
  BisectBatchOnFunctionError: v.literal(true),
  FunctionResponseTypes: v.tuple([v.literal('ReportBatchItemFailures')]),
  StartingPosition: v.literal('TRIM_HORIZON'),
  FilterCriteria: v.optional(v.object({ Filters: v.array(v.object({ Pattern: v.string() })) }), { Filters: [] }),
});

const ruleSchema = v.union([v.string(), v.strictObject({ prefix: v.string() })]);
const patternSchema: v.GenericSchema<unknown, FilterPattern> = v.record(
  v.string(),
  v.union([v.array(ruleSchema), v.lazy(() => patternSchema)]),
);

function readPattern(text: string, id: string): FilterPattern {
  return parse(patternSchema, JSON.parse(text), `${id}.FilterCriteria`);
}

function isRules(expected: FilterPattern | readonly FilterRule[]): expected is readonly FilterRule[] {
  return Array.isArray(expected);
}

function matchesRule(value: unknown, rule: FilterRule): boolean {
  if (typeof value !== 'string') return false;
  return typeof rule === 'string' ? value === rule : value.startsWith(rule.prefix);
}
