import { hash, randomBytes, randomUUID } from 'node:crypto';
import { crockford } from '#shared/contract/ulid.ts';

/** A ULID (github.com/ulid/spec): 48 bits of time in milliseconds, 80 random bits, in an alphabet that sorts by time. */
export function createUlid(at: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  randomBytes(10).copy(bytes, 6);
  return encodeCrockford(BigInt(`0x${bytes.toString('hex')}`));
}

/** The lowest ULID of this millisecond: above every earlier one. */
export function lowestUlid(at: Date): string {
  return encodeCrockford(BigInt(at.getTime()) << 80n);
}

/** 16 random bytes in base64url, so that the digest of a guessable value reveals nothing. */
export function createSalt(): string {
  return randomBytes(16).toString('base64url');
}

/** The SHA-256 in base64url of a value that is only compared and need not be stored. */
export function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url');
}

/** An idempotency token by which DynamoDB recognizes a retried transaction. */
export function createRequestToken(): string {
  return randomUUID();
}

function encodeCrockford(number: bigint): string {
  let text = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += crockford[Number((number >> shift) & 31n)];
  return text;
}
