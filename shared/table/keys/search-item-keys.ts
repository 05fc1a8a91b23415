import type { UserId } from '#shared/contract/fields.ts';
import type { Key, Range } from '../key.ts';

/**
 * One word by which a user is found: lists the users with a word of this prefix. A partition has the words with the same
 * first two characters, or the same first character if that is an ideograph; shorter words have no partition.
 */
export function searchEntryKey(word: string, userId: UserId): Key | undefined {
  const pk = searchPartition(word);
  return pk === undefined ? undefined : { pk, sk: `${word}#${userId}` };
}
function searchPartition(word: string): string | undefined {
  const [first = '', second] = word;
  if (isIdeograph(first)) return `FIND#${first}`;
  return second === undefined ? undefined : `FIND#${first}${second}`;
}
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Whether a character belongs to a script that does not separate words with spaces. */
export const isIdeograph = (character: string): boolean => ideograph.test(character);

/**
 * The entries of words with this prefix whose users also have words with the other prefixes; undefined if it is too
 * short.
 */
export const searchEntriesRange = (prefix: string, others: readonly string[]): Range | undefined => {
  const pk = searchPartition(prefix);
  const texts = others.map((other) => ` ${other}`);
  return pk === undefined
    ? undefined
    : { pk, prefix, ...(texts.length > 0 && { containing: { attribute: 'words', texts } }) };
};

/** The entries of exactly this word; undefined if it is too short. */
export const searchEntriesOfRange = (word: string): Range | undefined => {
  const pk = searchPartition(word);
  return pk === undefined ? undefined : { pk, prefix: `${word}#` };
};
