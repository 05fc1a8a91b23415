import type { ApplicationView } from './application.ts';
import { foldLetters } from './fold-letters.ts';

/** Whether the ID or the name of an application contains each typed word, ignoring case and accents. */
export function isFound({ appId, name }: Pick<ApplicationView, 'appId' | 'name'>, typed: string): boolean {
  const text = ` ${foldLetters(`${appId} ${name}`)}`;
  return foldLetters(typed)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
