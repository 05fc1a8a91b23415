/** Letters that Unicode does not decompose, as people type them. */
const foldings: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const foldable = new RegExp(`[${Object.keys(foldings).join('')}]`, 'g');

/** A text as a search compares it: without accents and case. Hangul stays in syllables. */
export function foldLetters(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC');
  return letters.replace(foldable, (letter) => foldings[letter] ?? letter);
}
