// Taken once: in a context of node:vm, as tests run in, each look at a global costs more than the arithmetic.
const { cos, exp, floor, imul, log, max, PI, round, sqrt } = Math;

/** Numbers from 0 to 1 that only look random: the same seed gives the same ones (mulberry32, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many independent events fall into one second when so many do on average; by the normal distribution from 30 on. */
export function poisson(mean: number, random: () => number): number {
  if (mean >= 30) return max(0, round(mean + sqrt(mean) * normal(random)));
  const floor = exp(-mean);
  let count = 0;
  for (let product = random(); product > floor; product *= random()) count++;
  return count;
}

/** The same things in another order, so that none always follows the same one (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(floor(random() * rest.length), 1));
}

/** By Box and Muller. */
function normal(random: () => number): number {
  return sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
}
