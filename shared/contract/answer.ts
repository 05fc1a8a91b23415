import * as v from 'valibot';
import { momentSchema } from './moment.ts';

/** What a schema of an answer describes: as it is sent, so without brands, and nobody's to change. */
export type Answer<Schema extends v.GenericSchema> = Unchanging<v.InferInput<Schema>>;

/** A value of which nothing can be assigned to. */
export type Unchanging<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : { readonly [Member in keyof Value]: Unchanging<Value[Member]> };

/** Counts the changes of an item. A call of its own can be left out of a bundle that needs no answers. */
export const versionSchema = /* @__PURE__ */ (() => v.pipe(v.number(), v.integer(), v.minValue(0)))();

/** What a schema describes, with more members. */
// @__NO_SIDE_EFFECTS__
export function extendedSchema<Entries extends v.ObjectEntries, More extends v.ObjectEntries>(
  { entries }: v.ObjectSchema<Entries, undefined>,
  more: More,
) {
  return v.object({ ...entries, ...more });
}

/** What is kept with its version and its times. */
// @__NO_SIDE_EFFECTS__
export function versionedSchema<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.object({ ...entries, version: versionSchema, createdAt: momentSchema, updatedAt: momentSchema });
}

/** An answer that says whether the request changed anything. */
// @__NO_SIDE_EFFECTS__
export function changedSchema<Entries extends v.ObjectEntries>(schema: v.ObjectSchema<Entries, undefined>) {
  return extendedSchema(schema, { changed: v.boolean() });
}

/** A page of a list: `cursor` leads to the next one, `null` says that this is the last. */
// @__NO_SIDE_EFFECTS__
export function pageSchema<Item extends v.GenericSchema>(item: Item) {
  return v.object({ items: v.array(item), cursor: v.nullable(v.string()) });
}
