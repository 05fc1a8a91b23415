// Read once: in a context of node:vm, where the tests run, each access to a global costs more than the arithmetic.
const { imul } = Math;

/** Pseudo-random numbers from 0 to 1; the same seed gives the same sequence (mulberry32, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
