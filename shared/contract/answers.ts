import * as v from 'valibot';
import { appIdSchema, changeIdSchema, timestampSchema, versionSchema } from './fields.ts';

/** What a schema of an answer describes: as it is sent, so without brands, and read-only. */
export type Answer<Schema extends v.GenericSchema> = DeepReadonly<v.InferInput<Schema>>;

/** A value in which nothing can be assigned. */
export type DeepReadonly<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : { readonly [Member in keyof Value]: DeepReadonly<Value[Member]> };

/** An object schema with more members. */
export function extendedSchema<Entries extends v.ObjectEntries, More extends v.ObjectEntries>(
  { entries }: v.ObjectSchema<Entries, undefined>,
  more: More,
) {
  return v.object({ ...entries, ...more });
}

/** The version and the times of a resource. */
export const versionedEntries = { version: versionSchema, createdAt: timestampSchema, updatedAt: timestampSchema };

/** A resource with its version and times. */
export function versionedSchema<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.object({ ...entries, ...versionedEntries });
}

/** What the answer of every write has. */
export const changedEntries = { changed: v.boolean() };

/** The answer of a write: `changed` is false if it was already in the requested state. */
export function changedSchema<Entries extends v.ObjectEntries>(schema: v.ObjectSchema<Entries, undefined>) {
  return extendedSchema(schema, changedEntries);
}
/** The schema that `changedSchema` makes. */
export type ChangedOf<Schema extends v.ObjectSchema<v.ObjectEntries, undefined>> = ReturnType<
  typeof changedSchema<Schema['entries']>
>;
export type Changed<View> = View & { readonly changed: boolean };

/** The id of the change that a write made. */
export const recordedEntries = { changeId: v.nullable(changeIdSchema) };

/** The same of a write whose change is recorded for a user: with the id of that change, `null` where nothing changed. */
export function recordedSchema<Entries extends v.ObjectEntries>(schema: v.ObjectSchema<Entries, undefined>) {
  return extendedSchema(changedSchema(schema), recordedEntries);
}
export type Recorded<View> = Changed<View> & { readonly changeId: string | null };

/** A count of a list that is read only up to a limit. */
export const limitedCountSchema = v.object({ count: v.number(), more: v.boolean() });
/** Of keys: those that expire soon, and those that were not used for long. */
export const keyCountsSchema = v.object({ expiring: limitedCountSchema, unused: limitedCountSchema });

/** A page of a list: `cursor` leads to the next page, `null` on the last page. */
export function pageSchema<Item extends v.GenericSchema>(item: Item) {
  return v.object({ items: v.array(item), cursor: v.nullable(v.string()) });
}
/** The schema that `pageSchema` makes. */
export type PageOf<Item extends v.GenericSchema> = ReturnType<typeof pageSchema<Item>>;
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

/** The applications that a list is limited to. */
export const narrowedEntries = { limitedTo: v.exactOptional(v.array(appIdSchema)) };

/** A page of a list over all applications, and the applications it is limited to. */
export function narrowedPageSchema<Item extends v.GenericSchema>(item: Item) {
  return extendedSchema(pageSchema(item), narrowedEntries);
}
/** The schema that `narrowedPageSchema` makes. */
export type NarrowedPageOf<Item extends v.GenericSchema> = ReturnType<typeof narrowedPageSchema<Item>>;

/** The answer to every deletion. When it is not `complete`, time ran out: the same request continues it. */
export const deletionSchema = v.object({ changed: v.boolean(), complete: v.boolean() });
export type Deletion = Answer<typeof deletionSchema>;
