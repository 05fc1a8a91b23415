import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Change } from '#shared/contract/change.ts';
import { canonicalJson } from './canonical-json.ts';
import { type RedactedChange, redactChange } from './redact-change.ts';

/** HMAC-SHA-256-128 (RFC 4868): the half is enough for a MAC (RFC 2104 section 5), and keeps the items small. */
const macBytes = 16;

/** The key of one version of the root. */
export interface ChainKey {
  readonly root: string;
  readonly key: KeyObject;
}

/** What a Change is linked by. */
export interface Link {
  /** The head of its subject's chain; `null` begins one. */
  readonly previous: string | null;
  /** Random, of 16 bytes at least. */
  readonly salt: string;
}

/** A Change before it is part of a chain. */
export type UnchainedChange = Omit<Change, 'integrity'>;

/** Adds a Change to the chain of its subject, whose new head is the `mac`. */
export function chainChange(change: UnchainedChange, { previous, salt }: Link, { root, key }: ChainKey): Change {
  const integrity = { root, previous, salt, mac: '' };
  const redacted = redactChange({ ...change, integrity });
  if (redacted === undefined) throw new Error('A Change with a salt can be redacted');
  return { ...change, integrity: { ...integrity, mac: computeChangeMac(redacted, key) } };
}

/** Whether the MAC of a Change is right, in the time of any other comparison. */
export function isChangeMacValid(redacted: RedactedChange, key: KeyObject): boolean {
  const [given, expected] = [redacted.integrity.mac, computeChangeMac(redacted, key)].map((mac) => Buffer.from(mac));
  return given?.length === expected?.length && timingSafeEqual(given as Buffer, expected as Buffer);
}

/** Of all that the Change says without what is personal, with the digest of that, and the link to the Change before. */
function computeChangeMac(redacted: RedactedChange, key: KeyObject): string {
  const { mac: _, ...integrity } = redacted.integrity;
  const mac = createHmac('sha256', key)
    .update(canonicalJson({ ...redacted, integrity }))
    .digest();
  return mac.subarray(0, macBytes).toString('base64url');
}
