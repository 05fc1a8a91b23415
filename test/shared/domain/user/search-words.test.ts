import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { UserId } from '#shared/contract/fields.ts';
import {
  countedWord,
  matchesSearch,
  maxSearchWords,
  parseSearch,
  searchTextOf,
  wordsIn,
} from '#shared/domain/user/search-words.ts';

const textOf = (userId: string, displayName: string | null = null, email: string | null = null) =>
  searchTextOf({ userId: userId as UserId, displayName, email });
const wordsOf = (...user: Parameters<typeof textOf>) => wordsIn(textOf(...user)).sort();
/** A word and its ends of four characters and more. */
const ends = (word: string) => Array.from({ length: Math.max(1, word.length - 3) }, (_, n) => word.slice(n));
const insides = (word: string) => ends(word).slice(1);
const finds = (query: string, ...user: Parameters<typeof textOf>) => matchesSearch(textOf(...user), parseSearch(query));

describe('the words of a user', () => {
  test.each([
    ['u1', 'Ada Lovelace', null, ['adalovelace', ...ends('lovelace'), 'u1']],
    ['u1', 'Zoë Ångström', null, [...ends('angstrom'), 'u1', 'zoeangstrom']],
    [
      'u1',
      'Łukasz Groß-Søndergård',
      null,
      ['lukaszgrosssondergard', 'ukasz', 'grosssondergard', 'ross', ...ends('sondergard'), 'u1'],
    ],
    [
      'u1',
      'Æsa Œdipe Đorđe Guðrún Þór Işıl',
      null,
      [
        'aesaoedipedordegudrunthorisil',
        'oedipedordegudrunthorisil',
        'dordegudrunthorisil',
        'gudrunthorisil',
        'thorisil',
        'isil',
        ...insides('gudrun'),
        'orde',
        'edipe',
        'dipe',
        'u1',
      ],
    ],
    ['u1', ' Ada  "Augusta"   --King', null, ['adaaugustaking', 'augustaking', ...insides('augusta'), 'king', 'u1']],
    ['u1', 'İpek ﬁsher', null, [...ends('fisher'), 'ipekfisher', 'u1']],
    ['u1', 'Γιώργος', null, ['u1', ...ends('γιωργοσ')]],
    ['u1', 'O’Brien', null, ['brien', 'obrien', 'rien', 'u1']],
    ['u1', '山田太郎', null, ['u1', '太郎', '山田太郎', '田太郎', '郎']],
    ['u1', '김철수', null, ['u1', '김철수', '수', '철수']],
    ['auth0|123', null, null, ['123', 'auth0|123']],
    ['urn:x:1', null, null, ['1', 'urn:x:1', 'x']],
    ['ada.king', null, null, ['ada', 'king']],
    ['x=y~z', null, null, ['x', 'y', 'z']],
    ["!$&'()*+,;=", null, null, []],
    ['u1', null, 'Ada.King+crm@Example.COM', ['ada.king+crm@example.com', 'crm', 'king', 'u1']],
    ['ada', 'Adamson', null, ends('adamson')],
    ['ada', 'Ada King', 'ada@example.com', ['ada@example.com', 'adaking', 'king']],
  ])('of %s, %s, %s are correct', (userId, name, email, expected) => {
    expect(wordsOf(userId, name, email)).toEqual(expected.sort());
  });

  test('are never the domain of an e-mail address', () => {
    for (const query of ['example', 'com', '@example.com', 'example.com']) {
      expect([query, finds(query, 'u1', 'Ada King', 'ada@example.com')]).toEqual([query, false]);
    }
  });

  test('are at most twelve, including the whole e-mail address', () => {
    const name = Array.from({ length: 50 }, (_, n) => `${String.fromCharCode(97 + (n % 26))}${n}`).join(' ');
    const words = wordsOf('u1', name, 'last@example.com');
    expect(words).toHaveLength(maxSearchWords);
    expect(words).toContain('last@example.com');
  });

  test('come from the whole id and the name before parts of the id', () => {
    const name = Array.from({ length: 11 }, (_, n) => `name${10 + n}`);
    const joined = name.map((_, at) => name.slice(at).join('').slice(0, 40));
    expect(wordsOf('auth0|a.b.c.d', name.join(' '))).toEqual(['auth0|a.b.c.d', ...joined]);
  });

  test('continue with the words after them up to 40 characters, and leave longer words whole', () => {
    const long = 'x'.repeat(45);
    // The ends of a word that begin it are found by it.
    expect(wordsOf('u1', `abc ${long} def`)).toEqual([`abc${'x'.repeat(37)}`, 'def', 'u1', long].sort());
  });

  test('take the place of the insides of words, which have what is left of the twelve', () => {
    const words = wordsOf('e6', 'Christopher Vandenberg', 'c.vandenberg@example.com');
    const insideLast = insides('vandenberg');
    expect(words).toHaveLength(maxSearchWords);
    expect(words).toEqual(expect.arrayContaining(['vandenberg', 'christophervandenberg', ...insideLast]));
    expect(words).toEqual(expect.arrayContaining(['hristopher', 'ristopher']));
    expect(words).not.toContain('istopher');
  });

  test('never lose a word that another began, when that one has no place', () => {
    const name = Array.from({ length: 11 }, (_, n) => `name${10 + n}`).join(' ');
    expect(finds('auth0|x', 'auth0|x', `${name} x`)).toBe(true);
    for (const query of name.split(' ')) expect([query, finds(query, 'auth0|x', `${name} x`)]).toEqual([query, true]);
  });

  test('have at most 128 characters', () => {
    const words = wordsOf('u1', null, `${'x'.repeat(150)}@example.com`);
    expect(words).toEqual(['u1', 'x'.repeat(128)]);
  });

  test('are none of an empty text', () => {
    expect(wordsIn('')).toEqual([]);
  });

  test('keep an e-mail address that is a prefix of another word', () => {
    expect(wordsOf('ada@example.com.au', null, 'ada@example.com')).toContain('ada@example.com');
  });

  test('fit in a sort key with the id of the user, whatever the name', () => {
    const property = fc.property(
      fc.stringMatching(/^[A-Za-z0-9._~@|:-]{128}$/),
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.emailAddress(),
      (userId, name, email) => {
        const words = wordsOf(userId, name.repeat(3).slice(0, 100), email);
        expect(words.length).toBeLessThanOrEqual(maxSearchWords);
        for (const word of words) {
          expect(Buffer.byteLength(`${word}#${userId}`)).toBeLessThan(1024);
          expect(word).not.toMatch(/\s/);
        }
      },
    );
    fc.assert(property);
  });
});

describe('a search', () => {
  const ada = ['auth0|4711', 'Ada Lovelace', 'countess@example.com'] as const;

  test.each([
    'ada',
    'ADA',
    'àdá',
    'love',
    'love ada',
    'ad lo',
    'count',
    'countess@example.com',
    'Countess@Exa',
    'auth0|47',
    '4711',
    'auth0',
    'Ada Lovelace <countess@example.com>',
  ])('for "%s" finds by prefixes of words', (query) => expect(finds(query, ...ada)).toBe(true));

  test.each(['da', 'ace', 'lovelace x', 'adam', 'ada ada2', 'example', '711', 'ountess'])(
    'for "%s" finds nothing else',
    (query) => expect(finds(query, ...ada)).toBe(false),
  );

  test.each([
    ["O'Br", 'Conan O’Brien'],
    ['obrien', "Conan O'Brien"],
    ['brien', "Conan O'Brien"],
    ['groß', 'Hans Gross'],
    ['gross', 'Hans Groß'],
    ['太郎', '山田太郎'],
    ['철', '김철수'],
    ['jean p', 'Jean-Pierre'],
    ['jean-p', 'Jean Pierre'],
    ['homas', 'Chidi Thomas'],
    ['omas idi', 'Chidi Thomas Idi'],
    ['vandenberg', 'Thomas van den Berg'],
    ['denberg', 'Thomas van den Berg'],
    ['berg', 'Thomas Vandenberg'],
    ['jsmith', 'J Smith'],
  ])('for "%s" finds %s', (query, name) => expect(finds(query, 'u1', name)).toBe(true));

  test('counts only the first of several matching words of a user', () => {
    expect(countedWord(textOf('u1', 'Adamson Adam Adams'), 'ad')).toBe('adamadams');
    expect(countedWord(textOf('u1', 'Adele Adam'), 'ad')).toBe('adam');
    expect(countedWord(textOf('u1', 'Adele Adam'), 'x')).toBeUndefined();
  });

  test('begins with the longest word, and queries each word once', () => {
    expect(parseSearch('ada lovel ad Ada')).toEqual(['lovel', 'ada']);
    expect(parseSearch(' \t')).toEqual([]);
    expect(parseSearch('!?')).toEqual([]);
  });

  test('finds each user by every prefix of every word, counting one word', () => {
    const name = fc.array(fc.stringMatching(/^[A-Za-zÀ-ÿ'.-]{1,8}$/), { minLength: 1, maxLength: 3 });
    const property = fc.property(name, fc.nat(), (parts, end) => {
      const text = textOf('u1', parts.join(' '));
      const query = parts.map((part) => part.slice(0, 1 + (end % part.length))).join(' ');
      const beginnings = parseSearch(query);
      expect([query, matchesSearch(text, beginnings)]).toEqual([query, true]);
      const [longest] = beginnings;
      if (longest !== undefined) expect(wordsIn(text)).toContain(countedWord(text, longest));
    });
    fc.assert(property);
  });
});
