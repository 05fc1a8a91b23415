import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { createBulkId } from '#shared/contract/bulk-calls.ts';
import { bulkIdSchema } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';

test('a bulk id is a ULID of the time of its creation, with full randomness', () => {
  const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  const random = fc.uint8Array({ minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(time, random, (now, bytes) => {
      const id = createBulkId(now, bytes);
      expect([v.is(bulkIdSchema, id), timeOfUlid(id)]).toEqual([true, now]);
    }),
  );
  const ends = Array.from({ length: 16 }, (_, n) => createBulkId(0, new Uint8Array(16).fill(1, n, n + 1)));
  expect(new Set(ends).size).toBe(16);
});
