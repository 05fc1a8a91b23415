import * as v from 'valibot';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { parseItem, storedId } from '#shared/table/item-schema.ts';
import { blockEndsRange } from '#shared/table/keys/access-item-keys.ts';
import { readItemsOf } from '#shared/table/read-items-of.ts';

const blockEndSchema = v.object({ userId: storedId<UserId>(), appId: storedId<AppId>(), until: v.string() });

/** A block that has an end, as the index lists it. */
export type BlockEnd = Readonly<v.InferOutput<typeof blockEndSchema>>;

/** How many blocks one request reads. */
export const maxBlockEnds = 1000;

/** The next blocks that end after this time, the earliest first, by the index; and whether there are more than are read. */
export async function readBlockEnds(after: Date): Promise<{ blocks: BlockEnd[]; more: boolean }> {
  const { items, next } = await readItemsOf(blockEndsRange(after.toISOString()), maxBlockEnds);
  return { blocks: items.map((item) => parseItem(blockEndSchema, item)), more: next !== undefined };
}
