import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pathCandidates } from '#shared/signature/path.ts';

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

describe('examples', () => {
  test('an id of unreserved characters has one candidate', () => {
    expect(candidates('ada')).toEqual(['/api/service/users/ada/access']);
  });

  test('an identity provider’s id is taken encoded or bare', () => {
    expect(segments('auth0|123')).toEqual(['auth0%7C123', 'auth0|123']);
  });

  test('a mail address is taken strict or as path characters', () => {
    expect(segments('a+b@c.de')).toEqual(['a%2Bb%40c.de', 'a+b@c.de']);
  });

  test('what arrived encoded comes second, in its own spelling', () => {
    expect(segments('auth0|1', `${prefix}auth0%7c1${suffix}`)).toEqual(['auth0%7C1', 'auth0%7c1', 'auth0|1']);
  });

  test('each library’s encoding of a segment is among them', () => {
    const id = "o'neil(*);x,y=&$ λ|:@";
    expect(segments(id)).toEqual([
      'o%27neil%28%2A%29%3Bx%2Cy%3D%26%24%20%CE%BB%7C%3A%40',
      "o'neil(*)%3Bx%2Cy%3D%26%24%20%CE%BB%7C%3A%40",
      "o'neil(*);x,y=&$%20%CE%BB%7C:@",
      'o%27neil%28%2A%29%3Bx%2Cy=&$%20%CE%BB%7C:@',
    ]);
  });

  test('an id with a percent sign is not taken bare, where it would name another', () => {
    expect(segments('a%41')).toEqual(['a%2541']);
  });

  test('a slash in an id never splits the segment', () => {
    expect(segments('a/b')).toEqual(['a%2Fb']);
  });

  test('what arrived is left out when it names another id or another route', () => {
    expect(segments('ada', `${prefix}bob${suffix}`)).toEqual(['ada']);
    expect(segments('ada', '/api/service/roles/ada/assign')).toEqual(['ada']);
    expect(segments('ada', '/api/service/users/access')).toEqual(['ada']);
  });

  test('nothing need follow the id', () => {
    const paths = pathCandidates({ received: '/users/auth0%7c1', prefix: '/users/', id: 'auth0|1', suffix: '' });

    expect(paths).toEqual(['/users/auth0%7C1', '/users/auth0%7c1', '/users/auth0|1']);
  });

  test('half a surrogate pair has none and throws nothing', () => {
    expect(candidates('a\ud800')).toEqual([]);
  });
});

test('all candidates name the same id, in ASCII, within one segment', () => {
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

test('the strict encoding comes first and each candidate once', () => {
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

test('a plain id has exactly one candidate', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9._~-]{1,128}$/), (id) => {
      expect(candidates(id)).toEqual([prefix + id + suffix]);
    }),
  );
});
