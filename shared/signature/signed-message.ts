import type { HeaderValues } from './signature-base.ts';

/** A request as the server received it, with every encoding of its target that a signer may have used (RFC 9421 section 2.2). */
export interface SignedMessage {
  readonly method: string;
  /** Equivalent encodings of one path, the canonical one first. */
  readonly paths: readonly string[];
  /** The hosts this service answers for, lower-case and without a default port, the canonical one first. */
  readonly authorities: readonly string[];
  /** As received, without the `?`; empty when there is none. */
  readonly query: string;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: HeaderValues;
  /** The bytes received, with any base64 of the gateway already removed. */
  readonly body: Uint8Array;
}
