import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A way to authenticate a signature base (RFC 9421 section 3.3). */
export interface Algorithm {
  /** Length of the MAC. */
  readonly macBytes: number;
  /** Creates the MAC key of an API key's secret, to be kept: Node 24.21 takes six times as long with the bytes alone. */
  readonly createKey: (secret: string) => KeyObject;
  readonly computeMac: (signatureBase: string, key: KeyObject) => Buffer;
}

/** The algorithms that a request may be signed with, by the value of its `alg` parameter: a new algorithm is a new row. */
export const algorithms = {
  // RFC 9421 section 3.3.3.
  'hmac-sha256': {
    macBytes: 32,
    createKey: (secret) => createSecretKey(secret, 'utf8'),
    computeMac: (signatureBase, key) => createHmac('sha256', key).update(signatureBase).digest(),
  },
} as const satisfies Readonly<Record<string, Algorithm>>;

export type AlgorithmName = keyof typeof algorithms;

/** The algorithm of a request without `alg`, and of every API key. */
export const defaultAlgorithm: AlgorithmName = 'hmac-sha256';

/** Whether the table has an algorithm of this name; names such as `constructor` are inherited by objects and are none. */
export function isAlgorithmName(name: string): name is AlgorithmName {
  return Object.hasOwn(algorithms, name);
}

/** Creates the MAC key of an API key's secret: its ASCII text is the key (RFC 9421 section 3.3.3). */
export function createMacKey(secret: string, name: AlgorithmName = defaultAlgorithm): KeyObject {
  return algorithms[name].createKey(secret);
}

/** Computes the bytes that authenticate a signature base (RFC 9421 section 3.3). */
export function computeMac(signatureBase: string, key: KeyObject, name: AlgorithmName = defaultAlgorithm): Buffer {
  return algorithms[name].computeMac(signatureBase, key);
}
