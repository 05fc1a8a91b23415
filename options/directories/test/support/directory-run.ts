import { digest } from '#shared/core/ids.ts';

const weighted = [
  'deactivate',
  'activate',
  'rename',
  'remove',
  'return',
  'return',
  'join',
  'join',
  'leave',
  'assigned by a person',
] as const;

export type DirectoryChange = (typeof weighted)[number];

/** A random sequence of changes of one user, always the same for a name. */
export function changesIn(name: string): DirectoryChange[] {
  return [...digest(name)]
    .slice(0, 12)
    .flatMap((character) => weighted[character.charCodeAt(0) % weighted.length] ?? []);
}
