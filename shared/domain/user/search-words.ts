import { foldLetters } from '#shared/contract/fold-letters.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { isIdeograph } from '#shared/table/keys.ts';

type Searchable = Pick<User, 'userId' | 'displayName' | 'email'>;

/** The most words of a user; DynamoDB allows a hundred items in one transaction. */
export const maxSearchWords = 12;
/** The characters of a word that are indexed; with the user id it fits in a sort key of 1,024 bytes. */
const maxWordLength = 128;
/** Incremented with every change of these rules, so that a repair rewrites the words of all users. */
const format = 1;

const apostrophes = /['’ʼ‘`]/g;

/** The words by which a user is found, as stored in the user and each entry: the format, then each word after a space. */
export function searchTextOf({ userId, displayName, email }: Searchable): string {
  const [mail, id, name] = [wordsOf(email ?? ''), wordsOf(userId), wordsOf(displayName ?? '')];
  const [wholeMail = ''] = mail;
  const candidates = [wholeMail, ...id.slice(0, 1), ...name, ...mail, ...id].map(cut);
  const words = [...new Set(candidates)].filter((word) => word !== '').slice(0, maxSearchWords);
  // A prefix of another word is redundant, except the e-mail address, which must sort before longer ones.
  const needed = words.filter((word) => word === cut(wholeMail) || !words.some((longer) => isLonger(longer, word)));
  return [format, ...needed].join(' ');
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
