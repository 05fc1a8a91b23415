import { describe, expect, test } from '@jest/globals';
import { getAccessOperation } from '#shared/contract/access.ts';
import type { Operation } from '#shared/contract/operation.ts';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { readIfMatch, withPointer } from '#shared/http/input.ts';

test.each([
  [undefined, undefined],
  ['*', undefined],
  ['"3"', [3]],
  [' "0" , "12" ', [0, 12]],
  ['W/"3"', []],
  ['"abc"', []],
  ['"3", W/"4", "x"', [3]],
])('If-Match %p allows the versions %p', (header, versions) => {
  expect(readIfMatch(header)).toEqual(versions);
});

test.each(['', '3', '"3', '"3" "4"', '"3",', `"${'1'.repeat(2000)}"`])('refuses the If-Match %p', (header) => {
  expect(() => readIfMatch(header)).toThrow('header:if-match');
});

const operations: readonly Operation[] = [...Object.values(serviceOperations), ...Object.values(manageOperations)];

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const inQuery = Object.keys(operation.query?.entries ?? {});
  const inBody = Object.keys(entriesOf(operation.body));
  const pointerOf = (field: string, rawQueryString = '') => {
    const error = withPointer(invalidField(field, 'is wrong'), operation, { rawQueryString });
    return error instanceof ServiceError ? error.options.errors : error;
  };

  test(`locates each field of ${name} in the request`, () => {
    for (const field of inPath) expect(pointerOf(field)).toEqual([{ pointer: `path:${field}`, detail: 'is wrong' }]);
    for (const field of inBody) expect(pointerOf(field)).toEqual([{ pointer: `#/${field}`, detail: 'is wrong' }]);
    for (const field of inQuery) {
      const query = `${field}=x`;
      expect(pointerOf(field, query)).toEqual([{ pointer: `query:${field}`, detail: 'is wrong' }]);
    }
  });
});

test('does not change an error without a field', () => {
  const error = new ServiceError('user_not_found', { detail: 'none' });
  expect(withPointer(error, getAccessOperation, { rawQueryString: '' })).toBe(error);
  const defect = new TypeError('a defect');
  expect(withPointer(defect, getAccessOperation, { rawQueryString: '' })).toBe(defect);
});

function entriesOf(schema: unknown): object {
  if (typeof schema !== 'object' || schema === null) return {};
  if ('wrapped' in schema) return entriesOf(schema.wrapped);
  return 'entries' in schema ? Object(schema.entries) : {};
}
