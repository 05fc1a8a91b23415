import { describe, expect, test } from '@jest/globals';
import { matchRoute } from '../../local/http-api-event.ts';

/** The example of the API Gateway guide, "Routing API requests", and the routes of this service. */
const routes = [
  '$default',
  'ANY /{proxy+}',
  'GET /pets/{proxy+}',
  'GET /pets/dog/{id}',
  'GET /pets/dog/1',
  'ANY /any',
  'POST /any',
  'GET /users/{userId}/access',
  'GET /{kind}/{name}',
].map((routeKey) => ({ routeKey, functionId: 'F', isProtected: false }));

const chosen = (method: string, path: string, among = routes) => matchRoute(among, method, path)?.route.routeKey;

describe('chooses as API Gateway does', () => {
  test.each([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1'],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}'],
    ['GET', '/pets/cat/1', 'GET /pets/{proxy+}'],
    ['GET', '/pets/cat', 'GET /{kind}/{name}'],
    ['POST', '/test/5', 'ANY /{proxy+}'],
    ['POST', '/pets/dog/1', 'ANY /{proxy+}'],
    ['POST', '/any', 'POST /any'],
    ['PUT', '/any', 'ANY /any'],
    ['GET', '/users/ada/access', 'GET /users/{userId}/access'],
    ['GET', '/', '$default'],
  ])('%s %s', (method, path, expected) => {
    expect(chosen(method, path)).toBe(expected);
  });
});

describe('does not match', () => {
  const only = (routeKey: string) => routes.filter((route) => route.routeKey === routeKey);
  test.each([
    ['another method', 'PUT', '/users/ada/access'],
    ['an empty parameter', 'GET', '/users//access'],
    ['a longer path', 'GET', '/users/ada/access/more'],
    ['a trailing slash', 'GET', '/users/ada/access/'],
    ['a shorter path', 'GET', '/users/ada'],
    ['another case', 'GET', '/Users/ada/access'],
  ])('%s', (_, method, path) => {
    expect(chosen(method, path, only('GET /users/{userId}/access'))).toBeUndefined();
  });

  test('an empty greedy variable', () => {
    expect(chosen('GET', '/pets/', only('GET /pets/{proxy+}'))).toBeUndefined();
  });
});

test('returns the parameters, a greedy one with its slashes', () => {
  expect(matchRoute(routes, 'GET', '/users/a b@c/access')?.pathParameters).toEqual({ userId: 'a b@c' });
  expect(matchRoute(routes, 'GET', '/pets/cat/1/2')?.pathParameters).toEqual({ proxy: 'cat/1/2' });
  expect(matchRoute(routes, 'GET', '/')?.pathParameters).toEqual({});
});
