/*
 * What keys and ranges are made of. Their shapes stand in `keys/`, a file for each owner of items, so that this names none of
 * them. Ids cannot contain `#`, which separates the parts of a key, so parts need no escaping and no two shapes overlap.
 */

/** The primary key of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The place of an item in the index `gsi1`. */
export interface IndexKey {
  readonly gsi1pk: string;
  readonly gsi1sk: string;
}

/** The indexes: both are lists for people, may be behind the table, and decide nothing. */
export type IndexName = 'gsi1' | 'gsi2';

/** A range of one partition, of the table or of its index. */
export interface Range {
  /** Default: the table itself. Only the table supports strongly consistent reads. */
  readonly index?: IndexName;
  readonly pk: string;
  /** Only sort keys with this prefix. Default: all. */
  readonly prefix?: string;
  /** Only sort keys greater than this; cannot be combined with `prefix`. Default: all. */
  readonly above?: string;
  /** Only sort keys from the first to the last, inclusive; cannot be combined with `prefix` or `above`. Default: all. */
  readonly between?: { readonly first: string; readonly last: string };
  /** Only items whose attribute has this value or, if `not`, has another value or none. Default: all. */
  readonly where?: { readonly attribute: string; readonly value: string; readonly not?: boolean };
  /** Only items in which this attribute has one of these values. Default: all. */
  readonly among?: { readonly attribute: string; readonly values: readonly string[] };
  /** Only items whose attribute contains all of these texts. Default: all. */
  readonly containing?: { readonly attribute: string; readonly texts: readonly string[] };
  /** Default: ascending. */
  readonly descending?: boolean;
}

/** The part of a range that limits its sort keys to a prefix; an empty prefix matches all. */
export function withPrefix(prefix: string): Pick<Range, 'prefix'> {
  return prefix === '' ? {} : { prefix };
}

/** A range of change ids, and the order in which to read it. */
export interface ChangeSpan {
  readonly descending: boolean;
  /** Only ids greater than `above` and less than `below`. Default: all. */
  readonly above?: string | undefined;
  readonly below?: string | undefined;
}

/**
 * The part of a range that limits its sort keys to a prefix and the ids of a span. DynamoDB accepts only one condition on the
 * sort key. BETWEEN includes its ends; characters that no id contains exclude them.
 */
export function rangeOfSpan(
  prefix: string,
  { descending, above, below }: ChangeSpan,
): Pick<Range, 'between' | 'descending'> {
  const first = above === undefined ? '0' : `${above}!`;
  const last = below === undefined ? '8' : `${below.slice(0, -1)}${characterBefore(below.slice(-1))}~`;
  return { between: { first: prefix + first, last: prefix + last }, descending };
}

function characterBefore(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 1) - 1);
}
