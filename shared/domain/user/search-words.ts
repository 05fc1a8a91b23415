import { foldLetters } from '#shared/contract/fold-letters.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { isIdeograph } from '#shared/table/keys/search-item-keys.ts';

type Searchable = Pick<User, 'userId' | 'displayName' | 'email'>;

/** The most words of a user; DynamoDB allows a hundred items in one transaction. */
export const maxSearchWords = 12;
/** The characters of a word that are indexed; with the user id it fits in a sort key of 1,024 bytes. */
const maxWordLength = 128;
/** The characters up to which a word of a name is continued with the words after it. */
const maxJoinedLength = 40;
/** The fewest characters by which the inside of a word is found: fewer would need more entries, and find too many users. */
const minInsideLength = 4;
/** Incremented with every change of these rules, so that a repair rewrites the words of all users. */
const format = 2;

const apostrophes = /['’ʼ‘`]/g;

/** The words by which a user is found, as stored in the user and each entry: the format, then each word after a space. */
export function searchTextOf({ userId, displayName, email }: Searchable): string {
  const [mail, id, name] = [wordsOf(email ?? ''), wordsOf(userId), wordsOf(displayName ?? '')];
  const [wholeMail = ''] = mail;
  const parts = nameParts(displayName ?? '');
  // The insides of words take the places that are left.
  const candidates = [wholeMail, ...id.slice(0, 1), ...joined(parts), ...name, ...mail, ...id, ...insides(parts)];
  return [format, ...withoutPrefixes(candidates.map(cut), cut(wholeMail))].join(' ');
}

/**
 * The first words, without those that begin another of them, because they are found by it. The e-mail address stays: it must
 * sort before longer ones.
 */
function withoutPrefixes(candidates: readonly string[], wholeMail: string): string[] {
  let words: string[] = [];
  for (const word of candidates) {
    const isFound = words.some((other) => other === word || (isLonger(other, word) && word !== wholeMail));
    if (word === '' || isFound) continue;
    const others = words.filter((other) => other === wholeMail || !isLonger(word, other));
    if (others.length < maxSearchWords) words = [...others, word];
  }
  return words;
}

/** The words of a name, in order. */
function nameParts(name: string): string[] {
  return tokensOf(name)
    .filter((token) => !isWhole(token))
    .flatMap((token) => split(token.replace(apostrophes, '')));
}

/** Each word continued with those after it, so that `van den Berg` is also found by `vandenberg`. */
function joined(parts: readonly string[]): string[] {
  return parts.map((part, at) => {
    const whole = [...parts.slice(at).join('')];
    return whole.slice(0, Math.max(maxJoinedLength, [...part].length)).join('');
  });
}

/** The ends of the words of a name, those of the last word first: `Thomas` is also found by `homas`. */
function insides(parts: readonly string[]): string[] {
  return parts.toReversed().flatMap((part) => {
    const characters = [...part];
    const count = characters.some(isIdeograph) ? 0 : characters.length - minInsideLength;
    return Array.from({ length: Math.max(0, count) }, (_, n) => characters.slice(n + 1).join(''));
  });
}

/** The words of a search text; none if it is empty. */
export function wordsIn(searchText: string): string[] {
  return searchText.split(' ').slice(1);
}

/**
 * The e-mail address in a text such as `Ada King <ada@example.com>`, normalized; undefined if there is none or more than
 * one.
 */
export function readAddress(text: string): string | undefined {
  const [address, ...others] = tokensOf(text).filter((token) => token.includes('@'));
  return others.length === 0 ? address : undefined;
}

/** The word by which a user is found by e-mail address. */
export function wordOfAddress(address: string): string {
  return cut(address);
}

/** The prefixes to search for, longest first; none is a prefix of another, so each matches a different word. */
export function parseSearch(query: string): string[] {
  const typed = tokensOf(query).flatMap((token) => (isWhole(token) ? [token] : split(token.replace(apostrophes, ''))));
  const words = [...new Set(typed.map(cut))].filter((word, _, all) => !all.some((longer) => isLonger(longer, word)));
  return words.sort((one, other) => other.length - one.length);
}

/** Whether each prefix matches a word of the text. */
export function matchesSearch(searchText: string, prefixes: readonly string[]): boolean {
  return prefixes.every((prefix) => searchText.includes(` ${prefix}`));
}

/** The matching word whose entry counts if a user has several; undefined if there is none. */
export function countedWord(searchText: string, prefix: string): string | undefined {
  return wordsIn(searchText)
    .filter((word) => word.startsWith(prefix))
    .sort()[0];
}

/** The tokens of a text such as `Ada King <ada@example.com>`; none if it is empty. */
function tokensOf(text: string): string[] {
  return foldLetters(text).split(/[\s<>"]/);
}

/** An e-mail address, or an id such as `auth0|123`: its first part is too common to be indexed. */
function isWhole(token: string): boolean {
  return /[@|:]/.test(token);
}

function wordsOf(text: string): string[] {
  return tokensOf(text).flatMap((token) => {
    if (!isWhole(token)) return [...split(token.replace(apostrophes, '')), ...partsOf(token)];
    const end = token.indexOf('@');
    return [token, ...partsOf(end === -1 ? token : token.slice(0, end))];
  });
}

function partsOf(token: string): string[] {
  return split(token).flatMap((part) => [
    part,
    ...[...part].flatMap((character, at, all) => (isIdeograph(character) ? [all.slice(at).join('')] : [])),
  ]);
}

function split(token: string): string[] {
  return token.split(/[^\p{L}\p{N}]/u).filter((part) => part !== '');
}

function cut(word: string): string {
  return [...word].slice(0, maxWordLength).join('');
}

function isLonger(longer: string, word: string): boolean {
  return longer.length > word.length && longer.startsWith(word);
}
