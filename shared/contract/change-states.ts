import * as v from 'valibot';
import type { ChangeAction } from './change.ts';
import { applicationChangeSchema } from './change-schemas.ts';
import { timestampSchema } from './fields.ts';

const { id, at, caller, requestId, sourceIp, undoOf, reason, ticket, signature } = applicationChangeSchema.entries;
/** The members of every change, whatever its kind. */
export const changeRecord = { id, at, caller, requestId, sourceIp, undoOf, reason, ticket, signature };

/** A time, or `null`. */
export const end = v.nullable(timestampSchema);
const version = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));
/** A state before or after a change, with the version of the item. */
export const recorded = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject({ ...entries, version });
/** One of these actions. */
export const actions = <const Names extends readonly ChangeAction[]>(...names: Names) => v.picklist(names);

/** Entries for members that only some states have. */
export function sometimes<Entries extends v.ObjectEntries>(entries: Entries) {
  const optional = Object.entries(entries).map(([member, schema]) => [member, v.exactOptional(schema)]);
  return Object.fromEntries(optional) as {
    readonly [Member in keyof Entries]: v.ExactOptionalSchema<Entries[Member], undefined>;
  };
}
