import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { operations } from '#shared/openapi/described-operations.ts';
import { withoutDefault } from '#shared/openapi/schemas.ts';
import { documentedOperations, invalid } from '../support/documented.ts';

/** Values that are valid for some members and invalid for others. */
const values = [
  null,
  true,
  7,
  0.5,
  '',
  'x',
  'editor',
  'Ä',
  '1a',
  'a b',
  '.',
  [],
  ['x'],
  {},
  [{}],
  'enabled',
  'inactive',
  'access:read',
  ['access:read'],
  ['access:read', 7],
  ['ada'],
  ['ada', 'ada'],
  'x'.repeat(40),
  'x'.repeat(41),
  'x'.repeat(100),
  'x'.repeat(101),
  'x'.repeat(256),
  'x'.repeat(257),
  // The same number of characters, but twice as many UTF-16 code units.
  '😀'.repeat(100),
  '😀'.repeat(101),
  '😀'.repeat(256),
  '😀'.repeat(257),
  '2027-01-31',
  '2027-01-31T12:00:00Z',
  '2027-01-31T12:00:00.123456789+02:00',
  '2027-02-30T12:00:00Z',
  'tomorrow',
  'PT0S',
  'P1DT12H',
  'PT24H',
  'P',
  'PT',
  'P1DT',
  'P1W',
  'P1M',
  'PT1.5H',
  '-PT1H',
  'P100000D',
  'ada@example.org',
  'ada',
  '@',
  Array.from({ length: 101 }, (_, n) => `user-${n}`),
];

const withBodies = operations.flatMap(({ name, body, documentation }) =>
  body === undefined ? [] : [{ name, body, example: documentation.example.body }],
);

describe.each(withBodies)('the body of $name', ({ name, body, example: documented }) => {
  const schema = documentedOperations.find(({ operation }) => operation.operationId === name)?.operation.requestBody
    .content['application/json'].schema;
  const example: Record<string, unknown> = { ...(documented as unknown as object | undefined) };
  const { entries } = withoutDefault(body) as v.StrictObjectSchema<v.ObjectEntries, undefined>;

  test(`the document and the service accept the same values for each member of the body of ${name}`, () => {
    for (const member of [...Object.keys(entries), 'unknown']) {
      for (const value of values) expectSame({ ...example, [member]: value });
    }
  });

  test(`the document and the service require the same members of the body of ${name}`, () => {
    expectSame({});
    for (const member of Object.keys(entries)) {
      const { [member]: _, ...others } = example;
      expectSame(others);
    }
  });

  function expectSame(value: unknown): void {
    const verdict = { value, taken: v.is(body, value) };
    expect({ value, taken: invalid(schema, value, '').length === 0 }).toEqual(verdict);
  }
});
