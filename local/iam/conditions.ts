import { LocalError } from '../local-error.ts';
import { type ConditionKey, conditionKeys, type RequestContext } from './authorization.ts';
import { arnPattern, type Pattern, textPattern } from './patterns.ts';

/** Whether a request meets the conditions of a statement. */
export type Condition = (context: RequestContext) => boolean;

/** The `Condition` of a statement in a template, with JSON values. */
export type ConditionBlock = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Compiles the conditions of a statement, all of which must be met (IAM user guide, "IAM JSON policy elements:
 * Condition operators"). Throws a LocalError for an unknown operator or key.
 */
export function compileConditions(block: ConditionBlock, place: string): Condition {
  const conditions = Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) =>
      compileCondition(operator, { key: knownKey(key, place), values: textsOf(values, place), place }),
    ),
  );
  return (context) => conditions.every((condition) => condition(context));
}

interface Comparison {
  readonly key: ConditionKey;
  /** One of them must match, or none for a negated operator. */
  readonly values: readonly string[];
  readonly place: string;
}

interface Operator {
  readonly pattern: (value: string) => Pattern;
  readonly negated?: true;
}

const operators: Readonly<Record<string, Operator>> = {
  StringEquals: { pattern: exactly },
  StringNotEquals: { pattern: exactly, negated: true },
  StringLike: { pattern: textPattern },
  StringNotLike: { pattern: textPattern, negated: true },
  ArnEquals: { pattern: arnPattern },
  ArnLike: { pattern: arnPattern },
  ArnNotEquals: { pattern: arnPattern, negated: true },
  ArnNotLike: { pattern: arnPattern, negated: true },
  Bool: { pattern: (value) => exactly(value.toLowerCase()) },
};

const operatorName = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/;

function compileCondition(written: string, { key, values, place }: Comparison): Condition {
  if (written === 'Null') return compileNull(key, values, place);
  const [, set, name = '', ifExists] = operatorName.exec(written) ?? [];
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) throw unsupported(`the condition operator ${written}`, place);
  if (set === undefined && conditionKeys[key] === 'several') {
    throw unsupported(`${written} of ${key} without ForAllValues or ForAnyValue`, place);
  }
  if (set === 'ForAnyValue' && ifExists !== undefined) {
    // AWS documents that an absent key fails ForAnyValue and meets IfExists, not what both together do.
    throw unsupported(written, place);
  }
  const patterns = values.map(operator.pattern);
  const isMet: Pattern = (value) => patterns.some((matches) => matches(value)) !== (operator.negated ?? false);
  if (set === 'ForAllValues') return (context) => valuesOf(context, key).every(isMet);
  if (set === 'ForAnyValue') return (context) => valuesOf(context, key).some(isMet);
  // An absent key meets a negated operator.
  const ifAbsent = ifExists !== undefined || operator.negated === true;
  return (context) => {
    const [value] = valuesOf(context, key);
    return value === undefined ? ifAbsent : isMet(value);
  };
}

/** `Null`: `true` is met by a request without the key, `false` by one with it. */
function compileNull(key: ConditionKey, values: readonly string[], place: string): Condition {
  const [value, ...others] = values;
  if (others.length > 0 || (value !== 'true' && value !== 'false')) throw unsupported(`Null of ${key}`, place);
  return (context) => (valuesOf(context, key).length === 0) === (value === 'true');
}

/** An empty string counts as absent ("Multivalued context keys"). */
function valuesOf(context: RequestContext, key: ConditionKey): readonly string[] {
  const value = context[key];
  const all = value === undefined || typeof value === 'string' ? [value ?? ''] : value;
  return all.filter((one) => one !== '');
}

function exactly(value: string): Pattern {
  return (text) => text === value;
}

function knownKey(key: string, place: string): ConditionKey {
  if (Object.hasOwn(conditionKeys, key)) return key as ConditionKey;
  throw unsupported(`the condition key ${key}`, place);
}

function textsOf(values: unknown, place: string): string[] {
  return [values].flat().map((value) => {
    if (typeof value === 'boolean') return String(value);
    if (typeof value !== 'string') throw unsupported(`a condition value of the type ${typeof value}`, place);
    if (value.includes('${')) throw unsupported(`the policy variable in ${value}`, place);
    return value;
  });
}

/**
 * A policy that cannot be evaluated must prevent the start: whether assumed met or not, it could allow what AWS denies.
 */
export function unsupported(what: string, place: string): LocalError {
  return new LocalError(`The local run cannot evaluate ${what}, which the policy ${place} uses.`);
}
