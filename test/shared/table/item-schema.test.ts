import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { mapSchema, parseItem, storedId } from '#shared/table/item-schema.ts';

const counts = mapSchema(v.number());
const item = (attributes: object) => ({ pk: 'PK', sk: 'KIND#1', ...attributes });

describe('a map by names', () => {
  test('a map keeps every name, including those of inherited properties', () => {
    const map = JSON.parse('{ "constructor": 1, "__proto__": 2, "a": 3 }');
    expect(Object.entries(v.parse(counts, map))).toEqual([
      ['constructor', 1],
      ['__proto__', 2],
      ['a', 3],
    ]);
    expect(v.parse(counts, {})).toEqual({});
  });

  test.each([
    ['null', null],
    ['a text', 'one'],
    ['nothing', undefined],
    ['a function', () => 1],
  ])('a map is not %s', (_, value) => {
    expect(v.is(counts, value)).toBe(false);
  });

  test('the error for a damaged map has only the place', () => {
    const { issues = [] } = v.safeParse(mapSchema(mapSchema(v.number())), { a: { b: 1 }, c: { d: 'private' } });
    expect(issues.map((issue) => issue.path)).toMatchObject([
      [
        { type: 'object', origin: 'value', key: 'c', value: { d: 'private' } },
        { type: 'object', origin: 'value', key: 'd', value: 'private' },
      ],
    ]);
    const [shallow] = v.safeParse(counts, { a: 'private' }).issues ?? [];
    expect(shallow?.path?.map(({ key }) => key)).toEqual(['a']);
  });
});

test('a stored id is a string', () => {
  expect(v.is(storedId(), 'ada')).toBe(true);
  expect(v.is(storedId(), 7)).toBe(false);
});

test('an unreadable item causes an error with its kind and the attribute', () => {
  const schema = v.object({ count: v.number() });
  expect(parseItem(schema, item({ count: 1 }))).toEqual({ count: 1 });
  expect(() => parseItem(schema, item({ count: 'private' }))).toThrow('The KIND item cannot be read: count');
  expect(() => parseItem(v.never(), item({}))).toThrow('The KIND item cannot be read: not a map');
});
