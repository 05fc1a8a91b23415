import { expect, test } from '@jest/globals';
import { decodePath, encodeSegment, pathCandidates, readPath } from '#shared/signature/path.ts';

const prefix = '/api/service/users/';
const suffix = '/access';

function candidates(id: string, received = prefix + id + suffix): readonly string[] {
  return pathCandidates({ received, prefix, id, suffix });
}

const segments = (id: string, received?: string) =>
  candidates(id, received).map((path) => path.slice(prefix.length, -suffix.length));

test('a path with an id of unreserved characters has one candidate', () => {
  expect(candidates('ada')).toEqual(['/api/service/users/ada/access']);
});

test('an id with a bar is accepted encoded or bare', () => {
  expect(segments('auth0|123')).toEqual(['auth0%7C123', 'auth0|123']);
});

test('an id without any unreserved character is accepted encoded or bare', () => {
  expect(segments('@|')).toEqual(['%40%7C', '@|', '@%7C']);
});

test('an e-mail address is accepted strictly encoded or as path characters', () => {
  expect(segments('a+b@c.de')).toEqual(['a%2Bb%40c.de', 'a+b@c.de']);
});

test('the received encoding comes second, unchanged', () => {
  expect(segments('auth0|1', `${prefix}auth0%7c1${suffix}`)).toEqual(['auth0%7C1', 'auth0%7c1', 'auth0|1']);
});

test('the candidates include the encodings of all URL libraries', () => {
  const id = "o'neil(*);x,y=&$ λ|:@";
  expect(segments(id)).toEqual([
    'o%27neil%28%2A%29%3Bx%2Cy%3D%26%24%20%CE%BB%7C%3A%40',
    "o'neil(*)%3Bx%2Cy%3D%26%24%20%CE%BB%7C%3A%40",
    "o'neil(*);x,y=&$%20%CE%BB%7C:@",
    'o%27neil%28%2A%29%3Bx%2Cy=&$%20%CE%BB%7C:@',
  ]);
});

test('an unencoded id with a percent sign is not a candidate, because it would name another id', () => {
  expect(segments('a%41')).toEqual(['a%2541']);
});

test('a slash in an id never splits the segment', () => {
  expect(segments('a/b')).toEqual(['a%2Fb']);
});

test('the received path is not a candidate if it names another id or another route', () => {
  expect(segments('ada', `${prefix}bob${suffix}`)).toEqual(['ada']);
  expect(segments('ada', '/api/service/roles/ada/assign')).toEqual(['ada']);
  expect(segments('ada', '/api/service/users/access')).toEqual(['ada']);
});

test('the id can be the last segment', () => {
  const paths = pathCandidates({ received: '/users/auth0%7c1', prefix: '/users/', id: 'auth0|1', suffix: '' });

  expect(paths).toEqual(['/users/auth0%7C1', '/users/auth0%7c1', '/users/auth0|1']);
});

test('an id with half a surrogate pair has no candidates and throws nothing', () => {
  expect(candidates('a\ud800')).toEqual([]);
});

test('reads the id and the path candidates by the template of the route', () => {
  const template = '/api/service/users/{userId}/access';

  expect(readPath('/api/service/users/auth0%7C1/access', template)).toEqual({
    variables: { userId: 'auth0|1' },
    paths: ['/api/service/users/auth0%7C1/access', '/api/service/users/auth0|1/access'],
  });
  expect(readPath('/users/ada', '/users/{userId}')).toEqual({ variables: { userId: 'ada' }, paths: ['/users/ada'] });
  expect(readPath('/hooks/backend/rotate', '/hooks/{webhookId}/rotate')?.variables).toEqual({ webhookId: 'backend' });
});

test('reads an id that cannot be decoded unchanged', () => {
  expect(readPath('/users/%zz/access', '/users/{userId}/access')).toEqual({
    variables: { userId: '%zz' },
    paths: ['/users/%25zz/access'],
  });
});

test('uses the template as the path if it has no variable', () => {
  const template = '/api/service/changes';

  expect(readPath('/v1/api/service/changes', template)).toEqual({ paths: [template], variables: {} });
});

test.each(['/user/ada/access', '/users/ada/roles', '/users//access', '/users/access', '/', ''])(
  'reads nothing from %j, which does not fit the template',
  (received) => {
    expect(readPath(received, '/users/{userId}/access')).toBeUndefined();
  },
);

test('encodes all except unreserved characters of a path segment, in upper-case hexadecimal', () => {
  expect(encodeSegment("Az09-._~ !'()*/?#[]@:|ü")).toBe('Az09-._~%20%21%27%28%29%2A%2F%3F%23%5B%5D%40%3A%7C%C3%BC');
});

test.each([
  ['/capture/plain', '/capture/plain'],
  ['/capture/space%20value', '/capture/space value'],
  ['/capture/slash%2Fvalue', '/capture/slash/value'],
  ['/capture/question%3Fvalue', '/capture/question'],
  ['/capture/hash%23value', '/capture/hash#value'],
  ['/capture/percent%25done', undefined],
  ['/capture/literal%252Fvalue', '/capture/literal/value'],
  ['/capture/literal%253Fvalue', '/capture/literal?value'],
  ['/capture/literal%2525value', '/capture/literal%value'],
  ['/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C', '/capture/unicode-λ-世界'],
])('an HTTP API passes on the path %s as captured on AWS', (sent, expected) => {
  expect(decodePath(sent)).toBe(expected);
});
