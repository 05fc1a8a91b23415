import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';
import { functionFiles } from '../lib/functions/function-files.ts';
import { isForBrowsers, root, sourceFiles, sourceFolders, textOf } from './support/source-files.ts';

const own = sourceFolders.flatMap(sourceFiles);

describe('the text of the source files', () => {
  test('no file spreads a literal', () => {
    const files = [...own, ...sourceFiles('test')].filter((file) => join(root, file) !== import.meta.filename);
    expect(files.flatMap((file) => literalSpreads(textOf(file)).map((spread) => [file, spread]))).toEqual([]);
  });

  test('no source file casts by way of never or unknown, which would pass any type for any other', () => {
    expect(own.filter((file) => /\bas (?:never|unknown as)\b/.test(textOf(file)))).toEqual([]);
  });

  test('only core/config reads the environment, only core/clock the time, only table/dynamodb and the calls of Cognito name errors of AWS', () => {
    const production = own.filter(
      (file) =>
        /^(?:shared|functions|options)\//.test(file) &&
        !/-(?:command|probes)\.ts$|\/(?:cli|commands|local)\//.test(file) &&
        !isForBrowsers(file),
    );
    const using = (pattern: RegExp) => production.filter((file) => pattern.test(textOf(file)));
    expect(using(/process\.env/)).toEqual(['shared/core/config.ts']);
    expect(using(/new Date\(\)|Date\.now\(/)).toEqual(['shared/core/clock.ts']);
    const naming = using(/error\.name\b|Exception\b/).filter((file) => !/\/cognito\//.test(file));
    expect(naming).toEqual(['shared/table/dynamodb.ts']);
  });

  test('only those who authorize a caller unwrap what was read for it', () => {
    const unwrapping = own.filter((file) => /\.unwrap\(\)/.test(textOf(file)));
    expect(unwrapping.filter((file) => file.startsWith('shared/'))).toEqual(['shared/domain/request/authorize.ts']);
  });

  test('beside the contract, lists of operations are kept only where one that lacks an operation does not compile', () => {
    const lists = own.filter(listsOperations);
    expect(lists.filter((file) => !/^(?:options|shared\/contract)\//.test(file))).toEqual([
      'client/management/management-contract.ts',
      'shared/http/management/manage-operations.ts',
      'smoke/management-probes.ts',
      'smoke/service-probes.ts',
    ]);
  });

  test('no bundler has to be told what it can drop of the contract', () => {
    const marked = own.filter((file) => /@__PURE__/.test(textOf(file)));
    expect(marked.filter((file) => file.startsWith('shared/'))).toEqual([]);
  });

  test('an endpoint is at most 30 lines', () => {
    for (const file of functionFiles.values()) {
      expect([file, textOf(file).split('\n').length <= 31]).toEqual([file, true]);
    }
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

const operationNames = new Set([...Object.keys(serviceOperations), ...Object.keys(manageOperations)]);

/** Whether a file has an array or an object, such as `['get-access', 'set-access']`, that names several operations. */
function listsOperations(file: string): boolean {
  const source = textOf(file);
  const arrays = [...source.matchAll(/\[((?:\s*'[^']*',?)+)\s*\]/g)].map(([, elements = '']) =>
    [...elements.matchAll(/'([^']*)'/g)].map(([, element = '']) => element),
  );
  const keys = [...source.matchAll(/^\s*'([^']*)':|\bcase '([^']*)':/gm)].map(([, key, label]) => key ?? label ?? '');
  return [...arrays, keys].some((list) => list.filter((name) => operationNames.has(name)).length > 1);
}
