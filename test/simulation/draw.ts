/** Draws random values, all from one source of numbers from 0 to 1. */
export class Draw {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  /** Draws an integer, both bounds included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  chance(chance: number): boolean {
    return this.random() < chance;
  }

  oneOf<T>(...options: readonly [T, ...T[]]): T {
    return options[Math.floor(this.random() * options.length)] ?? options[0];
  }

  list<T>(least: number, most: number, one: () => T): T[] {
    return Array.from({ length: this.between(least, most) }, one);
  }

  /** Draws a fault rate, often 0: faults everywhere hide the effect of a single fault. */
  rate(most: number): number {
    return this.random() < 0.5 ? 0 : this.random() * this.random() * most;
  }
}

/** Draws how often each kind occurs, around the usual frequencies. */
export function drawFrequencies<Kind extends string>(
  draw: Draw,
  kinds: readonly Kind[],
  usual: Readonly<Record<Kind, number>>,
): Readonly<Record<Kind, number>> {
  const drawn = kinds.map((kind) => [kind, usual[kind] * draw.oneOf(0.2, 1, 1, 3)]);
  return Object.fromEntries(drawn) as Record<Kind, number>;
}

/** Draws one of several kinds, by their relative frequency. */
export function drawKind<Kind extends string>(
  random: () => number,
  kinds: readonly [Kind, ...Kind[]],
  weights: Readonly<Record<Kind, number>>,
): Kind {
  let rest = random() * kinds.reduce((sum, kind) => sum + weights[kind], 0);
  for (const kind of kinds) {
    rest -= weights[kind];
    if (rest < 0) return kind;
  }
  return kinds[0];
}
