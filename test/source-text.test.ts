import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root, sourceFiles, sourceFolders } from './support/source-files.ts';

const own = sourceFolders.flatMap(sourceFiles);

describe('the text of the source files', () => {
  test('no file spreads a literal', () => {
    const files = [...own, ...sourceFiles('test')].filter((file) => join(root, file) !== import.meta.filename);
    expect(files.flatMap((file) => literalSpreads(textOf(file)).map((spread) => [file, spread]))).toEqual([]);
  });

  test('no source file casts by way of never or unknown, which would pass any type for any other', () => {
    expect(own.filter((file) => /\bas (?:never|unknown as)\b/.test(textOf(file)))).toEqual([]);
  });

  test.each([
    ['call({ ...{ id, name }, more })', ['...{ id, name }']],
    ['list(...[first, [second]])', ['...[first, [second]]']],
    ["[...(['a', 'b'] as const), c]", ["...(['a', 'b'] as const)"]],
    ['<List {...{ noun, pages }} />', ['...{ noun, pages }']],
    ["[...['}]', 'a'], ...(x && { x }), ...{ y }]", ["...['}]', 'a']", '...{ y }']],
    ["[...['a', 'b'].map(call), ...[one]?.[0], ...(x ? [x] : [])]", []],
    ['(...[method, path]: Parameters<Call>) => ({ ...path, ...call({ method }) })', []],
  ])('%s spreads the literals %j', (text, spreads) => {
    expect(literalSpreads(text)).toEqual(spreads);
  });
});

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The spreads of an object or array literal: its members could stand where the spread is. */
function literalSpreads(text: string): string[] {
  return [...text.matchAll(/\.\.\.(?=\(?\s*[[{])/g)].flatMap(({ index }) => {
    const end = endOfBrackets(text, index + 3);
    const inside = text.slice(index + 4, end - 1).trimStart();
    const isWhole =
      text[index + 3] !== '(' || /^(as|satisfies)\b|^$/.test(inside.slice(endOfBrackets(inside, 0)).trim());
    return isWhole && /^\s*[,)\]}]/.test(text.slice(end)) ? text.slice(index, end) : [];
  });
}

const bracketOrString = /[([{]|[)\]}]|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

/** Where the brackets end that open at a place of the text; those in strings do not count. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(bracketOrString)) {
    if (/^[([{]/.test(token)) depth++;
    else if (/^[)\]}]/.test(token)) depth--;
    if (depth === 0) return start + index + token.length;
  }
  return text.length;
}
