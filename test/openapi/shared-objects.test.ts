import { expect, test } from '@jest/globals';
import type { JsonSchema } from '#shared/openapi/json-schema.ts';
import { shareObjects } from '#shared/openapi/shared-objects.ts';

const text: JsonSchema = { type: 'string' };
const operator: JsonSchema = { type: 'object', properties: { id: text, via: text }, required: ['id'] };

test('an object in several places gets the name of the first one, which may also be null', () => {
  const shared = shareObjects({
    KeyPage: {
      type: 'object',
      properties: { issuedBy: { ...operator, type: ['object', 'null'], description: 'Who issued it.' } },
    },
    Access: { type: 'object', properties: { setBy: { type: 'array', items: operator } } },
  });
  expect(shared).toMatchObject({
    KeyPage: {
      properties: {
        issuedBy: { anyOf: [{ $ref: 'KeyIssuedBy' }, { type: 'null' }], description: 'Who issued it.' },
      },
    },
    Access: { properties: { setBy: { items: { $ref: 'KeyIssuedBy' } } } },
    KeyIssuedBy: operator,
  });
});

test('an object that is a whole schema is referred to by its name, and one that stands alone stays where it is', () => {
  const place: JsonSchema = { type: 'object', properties: { city: text } };
  const shared = shareObjects({
    Operator: operator,
    Change: { type: 'object', properties: { by: operator, at: place } },
  });
  expect(Object.keys(shared)).toEqual(['Operator', 'Change']);
  expect(shared.Change).toMatchObject({ properties: { by: { $ref: 'Operator' }, at: place } });
});

test('objects that differ in what is required are two', () => {
  const strict: JsonSchema = { ...operator, required: ['id', 'via'] };
  const shared = shareObjects({ A: { type: 'object', properties: { one: operator, two: strict } } });
  expect(Object.keys(shared)).toEqual(['A']);
});
