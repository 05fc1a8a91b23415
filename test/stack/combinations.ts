type Choice = readonly [option: string, value: number];

/**
 * Returns a few combinations that contain every possible pair of values of every two options (pairwise testing),
 * greedily: each new one takes, option by option, the value that adds the most missing pairs. Each is a list of value
 * indexes.
 */
export function allPairs(
  sizes: Readonly<Record<string, number>>,
  isPossible: (choices: ReadonlyMap<string, number>) => boolean,
): ReadonlyMap<string, number>[] {
  const missing = new Map(pairsOf(choicesOf(sizes)).flatMap((pair) => possible(pair, isPossible)));
  const combinations: ReadonlyMap<string, number>[] = [];
  while (missing.size > 0) {
    const [first] = missing.values();
    const combination = complete(new Map(first), sizes, isPossible, missing);
    for (const pair of pairsOf([...combination])) missing.delete(keyOf(pair));
    combinations.push(combination);
  }
  return combinations;
}

function complete(
  chosen: Map<string, number>,
  sizes: Readonly<Record<string, number>>,
  isPossible: (choices: ReadonlyMap<string, number>) => boolean,
  missing: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, number> {
  for (const option of Object.keys(sizes).filter((name) => !chosen.has(name))) {
    const candidates = Array.from({ length: sizes[option] ?? 0 }, (_, value) => value)
      .filter((value) => isPossible(new Map([...chosen, [option, value]])))
      .map((value) => ({ value, gain: gainOf([option, value], chosen, missing) }))
      .sort((one, other) => other.gain - one.gain);
    chosen.set(option, candidates[0]?.value ?? 0);
  }
  return chosen;
}

function gainOf(choice: Choice, chosen: ReadonlyMap<string, number>, missing: ReadonlyMap<string, unknown>): number {
  return [...chosen].filter((other) => missing.has(keyOf([choice, other]))).length;
}

function choicesOf(sizes: Readonly<Record<string, number>>): Choice[] {
  return Object.entries(sizes).flatMap(([option, size]) =>
    Array.from({ length: size }, (_, value): Choice => [option, value]),
  );
}

function pairsOf(choices: readonly Choice[]): [Choice, Choice][] {
  return choices.flatMap((one, at) =>
    choices.slice(at + 1).flatMap((other): [Choice, Choice][] => (one[0] === other[0] ? [] : [[one, other]])),
  );
}

function possible(pair: [Choice, Choice], isPossible: (choices: ReadonlyMap<string, number>) => boolean) {
  return isPossible(new Map(pair)) ? [[keyOf(pair), pair] as const] : [];
}

function keyOf(pair: readonly [Choice, Choice]): string {
  return pair
    .map(([option, value]) => `${option}=${value}`)
    .sort()
    .join(' ');
}
