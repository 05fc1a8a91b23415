import * as v from 'valibot';
import type { Item } from './client.ts';

/** Text, or `null` for none. */
export const nullableText = v.nullable(v.string());

/** Text of an attribute that is absent while there is none. */
export const absentText = v.optional(v.string());

/** The MAC of the last Change of an item, to which the next one is linked. */
export const chainHead = v.string();

/** The mark of an item that is being erased, or whose key is only reserved. */
export const deletingMark = v.optional(v.boolean(), false);

/** An id, which was checked when it was written. */
// @__NO_SIDE_EFFECTS__
export function storedId<Id extends string>() {
  return v.custom<Id>((value) => typeof value === 'string');
}

/**
 * A map by names that callers chose, which may be those of an object's own members, such as `constructor`: valibot's
 * `record` leaves those out.
 */
// @__NO_SIDE_EFFECTS__
export function mapSchema<Value extends v.GenericSchema>(value: Value) {
  type Values = Readonly<Record<string, v.InferOutput<Value>>>;
  return v.pipe(
    v.custom<Readonly<Record<string, unknown>>>((map) => typeof map === 'object' && map !== null),
    v.rawTransform(({ dataset: { value: input }, addIssue, NEVER }): Values => {
      const entries: [string, v.InferOutput<Value>][] = [];
      for (const [key, member] of Object.entries(input)) {
        const { success, output, issues = [] } = v.safeParse(value, member);
        // An error that is thrown here would pass by `parseItem`, with what is stored in it.
        if (!success) {
          addIssue({
            path: [{ type: 'object', origin: 'value', input, key, value: member }, ...(issues[0]?.path ?? [])],
          });
          return NEVER;
        }
        entries.push([key, output]);
      }
      return Object.fromEntries(entries);
    }),
  );
}

/** Reads an item by its schema. The error for a damaged one names the attribute and no value, as it goes to the log. */
export function parseItem<Schema extends v.GenericSchema>(schema: Schema, item: Item): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  const kind = String(item.sk).split('#', 1)[0];
  throw new Error(`The ${kind} item cannot be read: ${v.getDotPath(issues[0]) ?? 'no map'}`);
}
