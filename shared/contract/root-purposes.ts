/**
 * What is derived from a root: the letter that its versions begin with, such as `k` of `k1`. Each purpose has KMS keys of its own,
 * because whoever may use one can derive everything from it; options add theirs in `options/names.ts`.
 */
export type RootPurpose = 'k' | 'h' | (string & Record<never, never>);

/** The secrets of API keys. */
export const apiKeyRoots = 'k';

/** The MACs of changes, and the key that signs them. */
export const historyRoots = 'h';

/** The version of a root, such as `k1`: a purpose and a number, without anchors. */
export const rootVersionPattern = '[a-z][1-9]\\d{0,3}';

/** The purpose of a version, such as `k` of `k1`. */
export function purposeOf(version: string): RootPurpose {
  return version.slice(0, 1);
}
