import * as v from 'valibot';
import type { Item } from './client.ts';

/** Text; `null` if there is none. */
export const nullableText = v.nullable(v.string());

/** Text; the attribute does not exist if there is none. */
export const absentText = v.optional(v.string());

/** The MAC of the last Change of an item, to which the next one is linked. */
export const chainHead = v.string();

/** Marks an item that is being erased, or that only reserves its key. */
export const deletingMark = v.optional(v.boolean(), false);

/** An id, which was validated before it was stored. */
// @__NO_SIDE_EFFECTS__
export function storedId<Id extends string>() {
  return v.custom<Id>((value) => typeof value === 'string');
}

/**
 * A map whose keys are chosen by callers, and may be names such as `constructor`, which valibot's `record` omits.
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
        // Thrown here, an error would bypass `parseItem`, and its message could contain stored values.
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

/** Parses an item. The error for a damaged item names the attribute but no value, because it is logged. */
export function parseItem<Schema extends v.GenericSchema>(schema: Schema, item: Item): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  const kind = String(item.sk).split('#', 1)[0];
  throw new Error(`The ${kind} item cannot be read: ${v.getDotPath(issues[0]) ?? 'not a map'}`);
}

/** The attributes of the items of applications and users that the core leaves to options; each is a map that its option reads. */
export const keptOfApplication = ['login', 'webhooks'] as const;
export const keptOfUser = ['account'] as const;

const keptSchema = v.optional(
  v.custom<Readonly<Record<string, unknown>>>((map) => typeof map === 'object' && map !== null),
);

/** The schemas of those attributes. */
export const keptEntriesOfApplication = { login: keptSchema, webhooks: keptSchema };
export const keptEntriesOfUser = { account: keptSchema };
