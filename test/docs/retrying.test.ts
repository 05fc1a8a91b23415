import { expect, test } from '@jest/globals';
import { documentPaths, textOf } from '../support/source-files.ts';

/** The paragraphs, list items, table rows and descriptions of all that integrators read, each on one line. */
const passages = [
  ...documentPaths().flatMap((page) => passagesOf(textOf(page)).map((text) => ({ page, text }))),
  ...descriptionsOf(JSON.parse(textOf('docs/openapi.json'))).map((text) => ({
    page: 'docs/openapi.json',
    text,
  })),
];

function passagesOf(text: string): string[] {
  const parts = text.split(/^#.*$|\n\n+|\n(?=- |\d+\. |\|)/m);
  return parts.map((part) => part.replace(/\s+/g, ' ').trim());
}

function descriptionsOf(value: unknown): string[] {
  if (typeof value === 'string') return passagesOf(value);
  return Object.values(Object(value)).flatMap(descriptionsOf);
}

const [, section = ''] = /^## To retry\n(.*?)^## /ms.exec(textOf('docs/integrate/signing.md')) ?? [];

/** To sign or send something again, which is right only under the nonce of the first attempt. */
const advice =
  /\bsign(?:s|ed)?\b[^.;|:]{0,60}\b(?:again|anew|once more)\b|\bsend\b[^.;|:]{0,30}\bagain\b|\bnew signature\b|\b(?:repeating|retrying) is\b/i;

test('every text that speaks of signing or sending a request again links to the one section about retries', () => {
  const here = passagesOf(section);
  const found = passages.filter(({ text }) => advice.test(text) && !here.includes(text));
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter(({ text }) => !text.includes('#to-retry'))).toEqual([]);
});

test('no text expects "changed: false" of a retry, which is answered as its first attempt was', () => {
  const wrong = /\b(?:repeat(?:ed|ing|s)?|retr(?:y|ies|ying)|again|took effect)\b/i;
  const sentences = passages.flatMap(({ page, text }) =>
    text.split(/(?<=\.) /).map((sentence) => ({ page, sentence })),
  );
  const about = sentences.filter(({ sentence }) => sentence.includes('`changed: false`'));
  expect(about.length).toBeGreaterThan(1);
  expect(about.filter(({ sentence }) => wrong.test(sentence))).toEqual([]);
});

test('the section about retries says how: the same nonce, a new signature, and what is answered', () => {
  for (const rule of ['the same nonce', 'a new signature', 'original response', '`Idempotency-Key`'])
    expect(section.replace(/\s+/g, ' ')).toContain(rule);
});
