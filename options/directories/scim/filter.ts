import { type Filter, parse } from 'scim2-parse-filter';
import { scimError } from './scim-error.ts';

/** `path eq value`; `within` has the conditions for the same element of an attribute with several values. */
export interface Comparison {
  /** As the caller wrote it. */
  readonly path: string;
  readonly value: string | number | boolean | null;
  readonly within: readonly Comparison[];
}

const maxLength = 2000;
const literals = /"(?:[^"\\]|\\.)*"/gs;

/**
 * The comparisons of a filter (RFC 7644 section 3.4.2.2), all of which must hold: only `eq` and `and` are supported, and an
 * element is selected as in `emails[type eq "work"].value eq "x"`. 400 `invalidFilter` for everything else, because an answer
 * without results would make a directory create a user twice.
 */
export function readFilter(text: string): readonly Comparison[] {
  if (text.length > maxLength) throw invalidFilter(`must have at most ${maxLength} characters`);
  const values: string[] = [];
  // The parser decodes backslashes wrongly, and its time is exponential in the line breaks of a text that does not end.
  const template = text.replace(literals, (literal) => {
    values.push(readLiteral(literal));
    return `"${values.length - 1}"`;
  });
  if (/[\\\n\r]/.test(template)) throw invalidFilter('cannot be parsed');
  // The parser's tree does not tell this from a condition of its own.
  if (/\](?!\.)/.test(template)) throw invalidFilter('must compare a sub-attribute after a value filter in brackets');
  return comparisonsOf(parseTemplate(template)).map((comparison) => fill(comparison, values));
}

/** The conditions in the brackets of a path, such as `type eq "work"`. */
export function readValueFilter(text: string): readonly Comparison[] {
  const comparisons = readFilter(text);
  if (comparisons.some(({ within }) => within.length > 0)) throw invalidFilter('cannot have brackets within brackets');
  return comparisons;
}

function readLiteral(literal: string): string {
  try {
    return JSON.parse(literal);
  } catch {
    throw invalidFilter('has a text that is not valid JSON');
  }
}

function parseTemplate(template: string): Filter {
  try {
    // Entra ID sends booleans with a capital.
    return parse(template.replace(/\b(?:true|false)\b/gi, (word) => word.toLowerCase()));
  } catch {
    throw invalidFilter('cannot be parsed');
  }
}

function comparisonsOf(filter: Filter): readonly Comparison[] {
  if (filter.op === 'eq' && 'compValue' in filter) {
    return [{ path: filter.attrPath, value: filter.compValue, within: [] }];
  }
  if (filter.op !== 'and' || !('filters' in filter))
    throw invalidFilter(`has ${filter.op}; only eq and and are supported`);
  const [first, second] = filter.filters;
  // How the parser represents `path[filter].sub eq value`.
  if (first !== undefined && 'valFilter' in first && second !== undefined) {
    return comparisonsOf(second).map((compared) => ({ ...compared, within: comparisonsOf(first.valFilter) }));
  }
  return filter.filters.flatMap(comparisonsOf);
}

function fill({ path, value, within }: Comparison, values: readonly string[]): Comparison {
  const filled = typeof value === 'string' ? (values[Number(value)] ?? '') : value;
  return { path, value: filled, within: within.map((each) => fill(each, values)) };
}

export function invalidFilter(detail: string) {
  return scimError('invalidFilter', `The filter ${detail}.`);
}
