import * as v from 'valibot';
import { decodeCursor, encodeCursor } from '#shared/table/queries/cursor.ts';

const keySchema = v.nullable(v.record(v.string(), v.string()));
const countSchema = v.strictObject({
  attempt: v.number(),
  list: v.number(),
  after: keySchema,
  counts: v.strictObject({ users: v.number(), inactive: v.number(), blocked: v.number() }),
  began: v.array(v.strictObject({ from: v.number(), seen: v.string() })),
});
/** A count that several requests may continue: what was counted, where it goes on, and what the feeds were at its beginning. */
export type RepairCount = v.InferOutput<typeof countSchema>;

const placeSchema = v.strictTuple([v.number(), keySchema, v.number(), keySchema, v.nullable(countSchema)]);
/**
 * Where a repair continues: the step, the item after which; of the next item, the list, and the item after which, or what was
 * counted.
 */
export type RepairPlace = v.InferOutput<typeof placeSchema>;

const binding = ['repair'];

export function encodeRepairCursor(place: RepairPlace): string {
  return encodeCursor(binding, place);
}

export function decodeRepairCursor(cursor: string): RepairPlace {
  return decodeCursor(binding, { cursor, schema: placeSchema });
}
