import { foldLetters } from '#shared/contract/fold-letters.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { isIdeograph } from '#shared/table/keys.ts';

type Searchable = Pick<User, 'userId' | 'displayName' | 'email'>;

/** A user has at most so many words; DynamoDB takes a hundred items in one transaction. */
export const maxSearchWords = 12;
/** Characters of a word that count; with the user id it fits in a sort key, which takes 1,024 bytes. */
const maxWordLength = 128;
/** Goes up with every change of these rules, so that `reindexUsers` writes the words of all users again. */
const format = 1;

const apostrophes = /['’ʼ‘`]/g;

/** By which words a user is found, as the user and each of the entries hold them: the format, then each word after a space. */
export function searchTextOf({ userId, displayName, email }: Searchable): string {
  const [mail, id, name] = [wordsOf(email ?? ''), wordsOf(userId), wordsOf(displayName ?? '')];
  const [wholeMail = ''] = mail;
  const candidates = [wholeMail, ...id.slice(0, 1), ...name, ...mail, ...id].map(cut);
  const words = [...new Set(candidates)].filter((word) => word !== '').slice(0, maxSearchWords);
  // A search for the beginning finds the longer word too; the e-mail address stays, so that it comes before longer ones.
  const needed = words.filter((word) => word === cut(wholeMail) || !words.some((longer) => isLonger(longer, word)));
  return [format, ...needed].join(' ');
}

/** The words of a search text; an empty one has none. */
export function wordsIn(searchText: string): string[] {
  return searchText.split(' ').slice(1);
}

/** The e-mail address in a text such as `Ada King <ada@example.com>`, as it is compared; undefined when there is none, or several. */
export function readAddress(text: string): string | undefined {
  const [address, ...others] = tokensOf(text).filter((token) => token.includes('@'));
  return others.length === 0 ? address : undefined;
}

/** The word by which the user of an e-mail address is found. */
export function wordOfAddress(address: string): string {
  return cut(address);
}

/** What somebody looks for: the beginnings of words, the longest first; none begins another, so each takes a word of its own. */
export function parseSearch(query: string): string[] {
  const typed = tokensOf(query).flatMap((token) => (isWhole(token) ? [token] : split(token.replace(apostrophes, ''))));
  const words = [...new Set(typed.map(cut))].filter((word, _, all) => !all.some((longer) => isLonger(longer, word)));
  return words.sort((one, other) => other.length - one.length);
}

/** Whether each of the beginnings begins a word of the text. */
export function matchesSearch(searchText: string, beginnings: readonly string[]): boolean {
  return beginnings.every((beginning) => searchText.includes(` ${beginning}`));
}

/** Of several words of one user that begin so, the one whose entry counts; undefined when there is none. */
export function countedWord(searchText: string, beginning: string): string | undefined {
  return wordsIn(searchText)
    .filter((word) => word.startsWith(beginning))
    .sort()[0];
}

/** Such as those of `Ada King <ada@example.com>`; an empty one has no words. */
function tokensOf(text: string): string[] {
  return foldLetters(text).split(/[\s<>"]/);
}

/** An e-mail address, or an id such as `auth0|123`: its first part is shared by too many to be found by it. */
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
