import { expect, test } from '@jest/globals';
import { addLoginExample } from '#options/login/local/login-example.ts';

const example = { appId: 'billing', userIds: ['auth0|1'], issuer: 'http://127.0.0.1:1', port: 2, polls: 2 };

test('the example is there without its application while the login has no client', async () => {
  const calls: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    calls.push(`${method} ${path} ${JSON.stringify(body)}`);
    return { status: 200, body: { clientId: null, state: 'none' } };
  };
  const { members, lines, close } = await addLoginExample({ ...example, ask });
  expect(members).toEqual({});
  expect(lines).toEqual([
    ['Login', 'http://127.0.0.1:1 (development login for people)'],
    ['Example app', expect.stringMatching(/^not started, because the login of billing has no client yet/)],
  ]);
  const login =
    '{"redirectUris":["http://127.0.0.1:2/callback"],"logoutUris":["http://127.0.0.1:2/"],"clientType":"public"}';
  const read = 'GET /applications/billing/login undefined';
  expect(calls).toEqual([
    'GET /users/auth0%7C1/account undefined',
    'POST /users/auth0%7C1/invitation undefined',
    `PUT /applications/billing/login ${login}`,
    read,
    read,
  ]);
  await close();
});

test('an account that is there is not invited again', async () => {
  const calls: string[] = [];
  const ask = async (method: string, path: string) => {
    calls.push(`${method} ${path}`);
    return { status: 200, body: { clientId: null, state: 'invited' } };
  };
  const { close } = await addLoginExample({ ...example, ask });
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await close();
});

test('a refusal of the Management API is reported with its status', async () => {
  const ask = async () => ({ status: 403, body: { code: 'role_missing' } });
  const adding = addLoginExample({ ...example, ask });
  await expect(adding).rejects.toThrow(
    'The Management API answered 403 while adding the login: {"code":"role_missing"}',
  );
});
