/** The first lines in which two signature bases (RFC 9421 section 2.5) differ; none when they are the same. */
export interface Difference {
  readonly signed: string | undefined;
  readonly expected: string | undefined;
}

/** Finds where what was signed is not what the server expects. */
export function compareBases(signed: string, expected: string): Difference {
  const ours = signed.split('\n');
  const theirs = expected.split('\n');
  const line = theirs.findIndex((text, index) => text !== ours[index]);
  return { signed: ours[line], expected: theirs[line] };
}

/** Says it to whoever wrote the client: where to look, or that only the key can be wrong. */
export function describeDifference({ signed, expected }: Difference): string {
  if (signed === expected) return 'same signature base: wrong secret';
  return `signed ${signed}, the server has ${expected}`;
}
