import { digest } from '#shared/core/ids.ts';
import { invalidRequest } from './input.ts';

/** What a request asks for, beside who asks. */
export interface AskedFor {
  readonly method: string;
  readonly path: string;
  /** As received, without the `?`. */
  readonly query: string;
  /** `If-Match`, which changes what a write means. */
  readonly ifMatch: string | undefined;
  readonly body: Uint8Array;
}

/** A digest of what a request asks for: two attempts of one call have the same. */
export function digestRequest({ method, path, query, ifMatch, body }: AskedFor): string {
  return digest(JSON.stringify([method, path, query, ifMatch?.trim() ?? null, digest(body)]));
}

const keyPattern = /^(?:"([!#-[\]-~]{1,128})"|([\w.~-]{1,128}))$/;

/**
 * The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header section 2.1), a string of structured fields;
 * many clients leave out its quotes. Undefined when there is none.
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, quoted, bare] = keyPattern.exec(header.trim()) ?? [];
  const key = quoted ?? bare;
  if (key !== undefined) return key;
  throw invalidRequest([
    { pointer: 'header:idempotency-key', detail: 'must be a string of 1 to 128 characters in quotes, such as a UUID' },
  ]);
}
