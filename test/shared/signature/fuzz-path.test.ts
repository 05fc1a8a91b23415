import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodePath, pathCandidates } from '#shared/signature/path.ts';

const prefix = '/api/service/users/';
const suffix = '/access';

function candidates(id: string, received = prefix + id + suffix): readonly string[] {
  return pathCandidates({ received, prefix, id, suffix });
}

const segments = (id: string, received?: string) =>
  candidates(id, received).map((path) => path.slice(prefix.length, -suffix.length));

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      '%',
      '2',
      '5',
      'F',
      '/',
      '?',
      '#',
      '|',
      '+',
      '@',
      ':',
      "'",
      ';',
      ',',
      ' ',
      '\n',
      'λ',
      '\ud83d',
    ),
  }),
);

test('all path candidates name the same id, in ASCII, within one segment', () => {
  fc.assert(
    fc.property(anyText, anyText, (id, received) => {
      for (const segment of [...segments(id), ...segments(id, prefix + received + suffix)]) {
        expect(decodeURIComponent(segment)).toBe(id);
        expect(segment).toMatch(/^[ -~]*$/);
        expect(segment).not.toMatch(/[/?#]/);
      }
    }),
    { numRuns: 1000 },
  );
});

test('the strict path encoding comes first and each candidate once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), anyText, (id, received) => {
      const [first = '', ...others] = segments(id, prefix + received + suffix);

      expect(first).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
      expect(new Set([first, ...others]).size).toBe(others.length + 1);
      expect(others.length).toBeLessThanOrEqual(5);
    }),
    { numRuns: 1000 },
  );
});

test('every id of unreserved characters has exactly one path candidate', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9._~-]{1,128}$/), (id) => {
      expect(candidates(id)).toEqual([prefix + id + suffix]);
    }),
  );
});

test('decodes any path that an HTTP API can carry, encoded once', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !/[%?\uD800-\uDFFF]/.test(value));
  fc.assert(fc.property(text, (value) => decodePath(encodeURIComponent(value)) === value));
});

test('decodes no invalid path, without throwing', () => {
  fc.assert(fc.property(fc.string(), (value) => ['string', 'undefined'].includes(typeof decodePath(value))));
});
