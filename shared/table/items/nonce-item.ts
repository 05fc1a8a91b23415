import * as v from 'valibot';
import type { KeyId } from '#shared/contract/fields.ts';
import { type Item, putItem } from '../client.ts';
import { putNewEntry } from '../expression.ts';
import { parseItem } from '../item-schema.ts';
import { nonceKey } from '../keys.ts';

/** Longer than any signature with this nonce can be accepted: twice the clock window. */
const retentionSeconds = 600;

/** A nonce of a signed request. */
export interface Nonce {
  readonly keyId: KeyId;
  readonly value: string;
  /** `created` of the signature, in seconds since the epoch. */
  readonly created: number;
}

const spentNonceSchema = v.object({
  requestId: v.string(),
  /** Outcome of the request that spent the nonce; one that only a newer version knows is not `changed`. */
  outcome: v.fallback(v.picklist(['changed', 'unchanged', 'refused']), 'unchanged'),
});
export type SpentNonce = Readonly<v.InferOutput<typeof spentNonceSchema>>;

/** Spends a nonce by itself; answers who spent it before, if somebody did. */
export async function spendNonce(nonce: Nonce, spent: SpentNonce): Promise<SpentNonce | undefined> {
  const before = await putItem(spendNonceEntry(nonce, spent));
  return before && spentNonceOf(before);
}

/** Spends a nonce in a transaction; must not have been spent. */
export function spendNonceEntry(nonce: Nonce, spent: SpentNonce) {
  return putNewEntry({ ...nonceKey(nonce.keyId, nonce.value), ...spent, ttl: nonce.created + retentionSeconds });
}

/** The spent nonce of the item that a refused condition returned. */
export function spentNonceOf(item: Item): SpentNonce {
  return parseItem(spentNonceSchema, item);
}
