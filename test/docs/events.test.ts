import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { changeActions } from '#shared/contract/change-actions.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { maxFeedDays } from '#shared/table/items/feed-item.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/integrate/events.md'), 'utf8');
const [example, , schema] = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']) => JSON.parse(block));

/** Of every field a value, in another order than the documented one. */
const allFields = Object.fromEntries(
  Object.keys(schema.properties)
    .reverse()
    .map((name) => [name, example.detail[name] ?? name]),
);

test('the event schema has the fields of a change as it is read from the table', () => {
  expect(Object.keys(changeOf({ ...allFields, pk: 'p', ttl: 1 }))).toEqual(Object.keys(schema.properties));
});

test('the event schema is self-contained, and the example matches it', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } }).compile(schema);
  expect([validate(example.detail), validate.errors]).toEqual([true, null]);
  expect(validate({ ...example.detail, caller: { kind: 'nobody' } })).toBe(false);
  expect(example['detail-type']).toBe(example.detail.action);
});

test('the events page explains every action, and how long a feed can be followed', () => {
  const table = text.slice(text.indexOf('| action'), text.indexOf('An application that ends sessions'));
  const named = table.match(/`(?:application)?[a-z]*(?:\.[a-z]+)+`/g)?.map((name) => name.slice(1, -1)) ?? [];
  expect(named.map((name) => (name.startsWith('.') ? `application${name}` : name)).sort()).toEqual(
    [...changeActions].sort(),
  );
  expect(text).toContain(`can be followed for ${maxFeedDays} days`);
});
