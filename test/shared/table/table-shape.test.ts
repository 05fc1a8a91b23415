import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { oldestRepairedFormat, tableFormat } from '#shared/contract/table-format.ts';
import * as ttl from '#shared/table/ttl.ts';
import { sourceFiles } from '../../support/source-files.ts';

const keyFiles = ['shared', 'options'].flatMap(sourceFiles).filter((file) => file.endsWith('-item-keys.ts'));
const modules: Readonly<Record<string, unknown>>[] = [ttl];
for (const file of keyFiles) modules.push(await import(`#${file}`));
const keys = Object.fromEntries(modules.flatMap(Object.entries));

/**
 * The shape of the table in each format: a digest of its keys, index keys, ranges and indexes. A format whose table nothing
 * needs to recognize any more has none.
 */
const shapes: Readonly<Record<number, string>> = {
  2: 'eV5CVz6CZgz133G-_kQkOS',
};

/** What some keys are made of in place of texts. */
const named = {
  id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
  userId: 'ada',
  appId: 'billing',
  connectionId: 'okta',
  webhookId: 'hook',
  pk: 'NONCE#1',
  descending: false,
};

/** Each function that makes a key or a range is called with texts, and with objects in their place. */
function shapeOf(name: string, make: (...input: never[]) => unknown): string {
  const inputs = [
    ['first', 'second', 'third', 'fourth'],
    ['first', named, 'third'],
    [named, 'second', 'third'],
    [named, named],
  ];
  const outcomes = inputs.map((input) => {
    try {
      return JSON.stringify(make(...(input as never[]))) ?? 'none';
    } catch {
      return 'refused';
    }
  });
  return `${name} ${[...new Set(outcomes)].join(' ')}`;
}

/** A range is in the digest by its name without the ending. */
const made = Object.entries(keys)
  .filter((entry): entry is [string, (...input: never[]) => unknown] => typeof entry[1] === 'function')
  .filter(([name]) => !/^is[A-Z]/.test(name))
  .map(([name, make]) => shapeOf(name.replace(/Ranges?$/, ''), make));
const constants = Object.entries(keys).filter(([, value]) => typeof value === 'string');
const shape = [...made, ...constants.map((entry) => entry.join(' '))].sort();

test('the format of the table rises with its keys, its kinds of items and its indexes', () => {
  const digest = createHash('sha256').update(shape.join('\n')).digest('base64url').slice(0, 22);
  const advice = `The shape of the table has changed, and its format has not. Raise tableFormat in shared/contract/table-format.ts, let
repair write what the new shape lacks and test that with items of the format before, describe it as "Table format ${tableFormat + 1}" in
CHANGELOG.md, and record here ${tableFormat + 1}: '${digest}'. Only if nothing that a table of the format before can hold has changed, as when a file of keys is moved or an option begins to keep items of its own, record the digest for ${tableFormat}.`;
  expect({ advice, [tableFormat]: digest }).toEqual({ advice, [tableFormat]: shapes[tableFormat] });
});

test('every key of the table is part of its shape', () => {
  for (const name of Object.keys(keys).filter((each) => /^(?!is[A-Z]).*Key$/.test(each))) {
    expect(shape.find((line) => line.startsWith(`${name} `))).toMatch(/"/);
  }
});

test('no two owners of items give a key or a range the same name', () => {
  const names = modules.flatMap(Object.keys);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('each format from which a repair leads to this one is older', () => {
  expect(oldestRepairedFormat).toBeLessThan(tableFormat);
});
