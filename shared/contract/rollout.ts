/*
 * Which users a rollout admits. It imports nothing, so that applications, the command line and the dashboard run the same code
 * as the service. `examples/rollout-vectors.json` has test vectors for other implementations.
 */

/** The percentage that admits every user: the default of an application. */
export const fullRollout = 100;

/**
 * Whether a percentage with at most two decimals admits a user without an explicit status. Every higher percentage admits the
 * same users too.
 */
export function isInRollout(appId: string, userId: string, percent: number): boolean {
  return rolloutBucket(appId, userId) < Math.round(percent * 100);
}

/** The bucket of a user in an application, from 0 to 9,999: the MurmurHash3 of `appId:userId`, modulo 10,000. */
export function rolloutBucket(appId: string, userId: string): number {
  return murmur3(`${appId}:${userId}`) % 10_000;
}

/** MurmurHash3 x86 32 with seed 0 of a text in UTF-8, from 0 to 2^32 - 1. */
export function murmur3(text: string): number {
  const bytes = bytesOf(text);
  let hash = 0;
  let block = 0;
  for (let at = 0; at < bytes.length; at++) {
    block |= bytes.charCodeAt(at) << (8 * (at % 4));
    if (at % 4 < 3) continue;
    hash = mix(hash, block);
    block = 0;
  }
  // A block of zeros changes nothing, so this is correct even if no byte is left.
  return finish(hash ^ scramble(block) ^ bytes.length);
}

const ascii = /^[\0-\x7f]*$/;

/** The bytes of a text in UTF-8, each as a character; for ASCII that is the text itself, which saves nearly all the time. */
function bytesOf(text: string): string {
  if (ascii.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

function mix(hash: number, block: number): number {
  return (Math.imul(rotateLeft(hash ^ scramble(block), 13), 5) + 0xe6546b64) | 0;
}

function scramble(block: number): number {
  return Math.imul(rotateLeft(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

function finish(mixed: number): number {
  const half = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (whole ^ (whole >>> 16)) >>> 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
