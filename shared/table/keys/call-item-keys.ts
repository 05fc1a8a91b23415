import type { KeyId } from '#shared/contract/fields.ts';
import type { Key } from '../key.ts';

/** One call of an application, by its API key and nonce. */
export const nonceKey = (keyId: KeyId, nonce: string): Key => ({ pk: `NONCE#${keyId}#${nonce}`, sk: 'NONCE' });

/** One attempt of a completed call other than the one that completed it, by a digest of its signature. */
export const attemptKey = ({ pk }: Key, signature: string): Key => ({ pk, sk: `ATTEMPT#${signature}` });

/** One call of an operator, by a digest of its `Idempotency-Key` and the operator. */
export const idempotencyKey = (digest: string): Key => ({ pk: `IDEMPOTENCY#${digest}`, sk: 'IDEMPOTENCY' });
