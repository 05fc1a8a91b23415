import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Change } from '#shared/contract/change.ts';
import { canonicalJson } from './canonical-json.ts';
import { type RedactedChange, redactChange } from './redact-change.ts';

/** HMAC-SHA-256-128 (RFC 4868): half of the output is enough for a MAC (RFC 2104 section 5), and keeps the items small. */
const macBytes = 16;

/** The key derived from one version of the root. */
export interface ChainKey {
  readonly root: string;
  readonly key: KeyObject;
}

/** The link of a Change to its chain. */
export interface Link {
  /** The head of its subject's chain; `null` starts a chain. */
  readonly previous: string | null;
  /** Random; at least 16 bytes. */
  readonly salt: string;
}

/** A Change that is not yet part of a chain. */
export type UnchainedChange = Omit<Change, 'integrity'>;

/** Adds a Change to the chain of its subject; its `mac` becomes the new head. */
export function chainChange(change: UnchainedChange, { previous, salt }: Link, { root, key }: ChainKey): Change {
  const integrity = { root, previous, salt, mac: '' };
  const redacted = redactChange({ ...change, integrity });
  if (redacted === undefined) throw new Error('A Change with a salt could not be redacted');
  return { ...change, integrity: { ...integrity, mac: computeChangeMac(redacted, key) } };
}

/** Whether the MAC of a Change is valid, compared in constant time. */
export function isChangeMacValid(redacted: RedactedChange, key: KeyObject): boolean {
  const [given, expected] = [redacted.integrity.mac, computeChangeMac(redacted, key)].map((mac) =>
    Buffer.from(String(mac)),
  );
  return given?.length === expected?.length && timingSafeEqual(given as Buffer, expected as Buffer);
}

/** Covers the redacted Change, the digest of its personal data, and the link to the previous Change. */
function computeChangeMac(redacted: RedactedChange, key: KeyObject): string {
  const { mac: _, ...integrity } = redacted.integrity;
  const mac = createHmac('sha256', key)
    .update(canonicalJson({ ...redacted, integrity }))
    .digest();
  return mac.subarray(0, macBytes).toString('base64url');
}
