import * as v from 'valibot';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import type { Item } from '#shared/table/client.ts';
import { absentText, chainHead, parseItem } from '#shared/table/item-schema.ts';
import { scanItems } from '#shared/table/scan-items.ts';
import { headAttributes } from './head-attributes.ts';

const chainedSchema = v.pipe(
  v.object({
    chainHead,
    updatedAt: absentText,
    lastChangeId: absentText,
    userId: absentText,
    appId: absentText,
    connectionId: absentText,
    role: absentText,
  }),
  v.check(({ updatedAt, lastChangeId }) => updatedAt !== undefined || lastChangeId !== undefined),
);

/** The head of the chain of a user, access, role, application or connection, or of the tombstone of one. */
export interface ChainHead {
  readonly mac: string;
  /** When its last change was made. */
  readonly at: string;
  readonly userId?: string | undefined;
  readonly appId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly role?: string | undefined;
}

/** Reads the heads in a page of the whole table; `next` is undefined at its end. */
export async function readChainHeads(after: Item | undefined): Promise<{ heads: ChainHead[]; next: Item | undefined }> {
  const { items, next } = await scanItems(headAttributes, after);
  return { heads: items.map(headOf), next };
}

/** Only the tombstone of a user has no time of its last change, the erasure, but still the change's id. */
function headOf(item: Item): ChainHead {
  const { chainHead: mac, updatedAt, lastChangeId = '', ...ids } = parseItem(chainedSchema, item);
  const at = updatedAt ?? new Date(timeOfUlid(lastChangeId)).toISOString();
  return { mac, at, ...ids };
}
