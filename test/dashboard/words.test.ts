import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAst, Visitor } from 'vite';
import { nameUser } from '../../dashboard/words.ts';

const root = join(import.meta.dirname, '../..');

test('the dashboard says Allowed and Blocked, not the words of the API', () => {
  const files = globSync('{dashboard,options/*/dashboard}/**/*.{ts,tsx}', {
    cwd: root,
    // Code that is copied has the words of its frameworks.
    exclude: ['dashboard/dist/**', '**/*-samples.ts'],
  });
  expect(files.length).toBeGreaterThan(100);
  const wrong = files.flatMap((file) =>
    textsOf(readFileSync(join(root, file), 'utf8')).flatMap((text) => (hasApiWord(text) ? [`${file}: ${text}`] : [])),
  );
  expect(wrong).toEqual([]);
});

test('texts are found in elements, attributes and strings, apart from values of the API', () => {
  const code = 'const text = isPending ? "Turned off" : "disabled"; const b = <b title="Is disabled" disabled>on</b>;';
  expect(textsOf(code).filter(hasApiWord)).toEqual(['Turned off', 'Is disabled', 'on']);
});

test('a user is named before the ID', () => {
  const users = [{ displayName: 'Chidi Thomas' }, { displayName: null }, { displayName: '' }];
  expect(users.map((user) => nameUser({ userId: 'E102699', ...user }))).toEqual([
    'Chidi Thomas (E102699)',
    'E102699',
    'E102699',
  ]);
});

function hasApiWord(text: string): boolean {
  return /(?<!:)\b(?:(?:en|dis)abled?|turn\w* (?:on|off)|may enter)\b|^\s*(?:on|off)\s*$/i.test(text);
}

/** The texts between tags, and strings with a space or an initial capital; JSON is for the API. */
function textsOf(code: string): string[] {
  const texts: string[] = [];
  const add = (text: unknown) => {
    if (typeof text === 'string' && /^[A-Z]|^[^{]*\s/.test(text)) texts.push(text);
  };
  new Visitor({
    JSXText: ({ value }) => void texts.push(value),
    Literal: ({ value }) => add(value),
    TemplateElement: ({ value }) => add(value.cooked),
  }).visit(parseAst(code, { lang: 'tsx' }));
  return texts;
}
