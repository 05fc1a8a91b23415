import fc from 'fast-check';

/** How many cases a fuzz test tries, unless a run of the tests sets a number for all of them, as mutation testing does. */
export function fuzzRuns(usual: number): number {
  return fc.readConfigureGlobal().numRuns ?? usual;
}
