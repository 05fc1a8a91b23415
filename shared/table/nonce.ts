import type { KeyId } from '#shared/contract/ids.ts';
import { type Item, putNew, putNewEntry } from './client.ts';
import { type Key, nonceKey } from './keys.ts';

/** Longer than any signature with this nonce can be accepted: twice the clock window. */
const keptSeconds = 600;

/** What became of the request that spent the nonce. */
export type NonceOutcome = 'changed' | 'unchanged' | 'refused';

export interface Nonce {
  readonly keyId: KeyId;
  readonly value: string;
  /** `created` of the signature, in seconds since the epoch. */
  readonly created: number;
}

export interface SpentNonce {
  readonly requestId: string;
  readonly outcome: NonceOutcome;
}

/** Spends a nonce by itself; answers who spent it before, if somebody did. */
export async function spendNonce(nonce: Nonce, spent: SpentNonce): Promise<SpentNonce | undefined> {
  const before = await putNew(nonceItem(nonce, spent));
  return before && spentNonceOf(before);
}

/** Spends a nonce in a transaction; must not have been spent. */
export function spendNonceEntry(nonce: Nonce, spent: SpentNonce) {
  return putNewEntry(nonceItem(nonce, spent));
}

/** The item that stood in the way of spending a nonce. */
export function spentNonceOf(item: Item): SpentNonce {
  return item as unknown as SpentNonce;
}

function nonceItem(nonce: Nonce, spent: SpentNonce): Item & Key {
  return { ...nonceKey(nonce.keyId, nonce.value), ...spent, ttl: nonce.created + keptSeconds };
}
