import { expect, test } from '@jest/globals';
import MarkdownIt, { type Token } from 'markdown-it';
import { documentPaths, textOf } from '../support/source-files.ts';

const mostWords = 30;

test.each(documentPaths())(`no sentence of %s has more than ${mostWords} words`, (path) => {
  const counted = sentencesOf(textOf(path)).map((sentence) => ({ words: wordsIn(sentence), sentence }));
  expect(counted.filter(({ words }) => words > mostWords)).toEqual([]);
});

test.each([
  ['One two. Three\nfour? Five', ['One two.', 'Three four?', 'Five']],
  ['# Title\n\nOne.\n\n- two\n  three\n- four\n  1. five', ['Title', 'One.', 'two three', 'four', 'five']],
  ['One:\n\n```sh\ntwo\n```\n\n<!-- three -->\n\nfour', ['One:', 'four']],
  ['| a | b |\n| - | - |\n| One. Two | three |', ['a', 'b', 'One.', 'Two', 'three']],
  ['`a b` is **one. Two** is [a `c d`](e.md), 1.5 of it.', ['Code is one.', 'Two is a Code, 1.5 of it.']],
  ['One e.g. two. 3 of them. four!', ['One e.g. two.', '3 of them. four!']],
  ['One (two). `three` "four." Five: Six; seven.', ['One (two).', 'Code "four."', 'Five: Six; seven.']],
])('the sentences of %j are %j', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});

test('counts code as one word, and punctuation as none', () => {
  expect(sentencesOf('Set `a: b` – or “c” × 2.').map(wordsIn)).toEqual([5]);
});

const markdown = new MarkdownIt({ html: true });

/** The sentences of a page in Markdown: those of its paragraphs, headings, items and cells, where code reads "Code". */
function sentencesOf(text: string): string[] {
  const blocks = markdown.parse(text, {}).flatMap(({ children }) => (children ? [textOfBlock(children)] : []));
  return blocks.flatMap((block) => block.split(/(?<=[.!?]["”)]*)\s+(?=[^\p{Ll}])/u));
}

function textOfBlock(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => ({ code_inline: 'Code', softbreak: ' ', text: content })[type] ?? '')
    .join('');
}

function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
