import * as v from 'valibot';
import { decodeCursor, encodeCursor } from './cursor.ts';

const keySchema = v.nullable(v.record(v.string(), v.string()));
const placeSchema = v.strictTuple([v.number(), keySchema, v.number(), keySchema]);
/** Where a repair continues: the step, the item after which; of the next item, the list, and the item after which. */
export type RepairPlace = v.InferOutput<typeof placeSchema>;

const binding = ['repair'];

export function encodeRepairCursor(place: RepairPlace): string {
  return encodeCursor(binding, place);
}

export function decodeRepairCursor(cursor: string): RepairPlace {
  return decodeCursor(binding, { cursor, schema: placeSchema });
}
