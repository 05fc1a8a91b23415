import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { changeActions } from '#shared/contract/change.ts';
import { changeSettlingSeconds } from '#shared/contract/limits.ts';
import { changeOf } from '#shared/table/change-fields.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8');
const [example, , schema] = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']) => JSON.parse(block));

/** In the order that an item of the table is read in, whatever else it holds. */
const allFields = Object.fromEntries(Object.keys(schema.properties).map((name) => [name, name]));

test('the schema has the fields and the actions of the contract', () => {
  expect(Object.keys(changeOf({ ...allFields, pk: 'p', ttl: 1 }))).toEqual(Object.keys(schema.properties));
  expect(Object.keys(schema.properties)).toHaveLength(13);
  expect(schema.properties.action.enum).toEqual(changeActions);
});

test('the schema requires what every change has', () => {
  const optional = ['appId', 'userId', 'role', 'keyId'];
  const required = Object.keys(schema.properties).filter((name) => !optional.includes(name));
  expect(schema.required).toEqual(required);
});

test('the example fits the schema', () => {
  const { detail } = example;
  expect(detail).toMatchObject(Object.fromEntries(schema.required.map((name: string) => [name, detail[name]])));
  expect(Object.keys(detail).filter((name) => !(name in schema.properties))).toEqual([]);
  expect(detail.id).toMatch(new RegExp(schema.properties.id.pattern));
  expect(v.is(v.picklist(changeActions), detail.action)).toBe(true);
  expect(example['detail-type']).toBe(detail.action);
});

test('every action is explained, and how long a change settles', () => {
  const table = text.slice(text.indexOf('| action'), text.indexOf('An application that ends sessions'));
  const named = table.match(/`(?:application)?[a-z]*(?:\.[a-z]+)+`/g)?.map((name) => name.slice(1, -1)) ?? [];
  expect(named.map((name) => (name.startsWith('.') ? `application${name}` : name)).sort()).toEqual(
    [...changeActions].sort(),
  );
  expect(text).toContain(`${changeSettlingSeconds} seconds old`);
});
