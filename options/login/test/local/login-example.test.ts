import { expect, test } from '@jest/globals';
import { createManagementClient } from '#client/management.ts';
import { addLoginExample } from '#options/login/local/login-example.ts';

const example = { appId: 'billing', userIds: ['auth0|1'], issuer: 'http://127.0.0.1:1', port: 2, polls: 2 };

/** A client whose calls are all answered like this, and the calls. */
function answering(status: number, body: object) {
  const calls: string[] = [];
  const manage = createManagementClient({
    url: 'http://127.0.0.1:3',
    token: 'a token',
    fetch: async (url, { method, body: sent }) => {
      calls.push(`${method} ${new URL(url).pathname.replace('/api/manage', '')} ${sent}`);
      return Response.json(body, { status });
    },
  });
  return { manage, calls };
}

test('the example is there without its application while the login has no client', async () => {
  const { manage, calls } = answering(200, { clientId: null, state: 'none' });
  const { members, lines, close } = await addLoginExample({ ...example, manage });
  expect(members).toEqual({});
  expect(lines).toEqual([
    ['Login', 'http://127.0.0.1:1 (development login for people)'],
    ['Example app', expect.stringMatching(/^not started, because the login of billing has no client yet/)],
  ]);
  const login =
    '{"redirectUris":["http://127.0.0.1:2/callback"],"logoutUris":["http://127.0.0.1:2/"],"clientType":"public"}';
  const read = 'GET /applications/billing/login null';
  expect(calls).toEqual([
    'GET /users/auth0%7C1/account null',
    'POST /users/auth0%7C1/invitation null',
    `PUT /applications/billing/login ${login}`,
    read,
    read,
  ]);
  await close();
});

test('an account that is there is not invited again', async () => {
  const { manage, calls } = answering(200, { clientId: null, state: 'invited' });
  const { close } = await addLoginExample({ ...example, manage });
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await close();
});

test('a refusal of the Management API is reported with its status', async () => {
  const { manage } = answering(403, { code: 'role_missing', detail: 'Requires another role.' });
  const adding = addLoginExample({ ...example, manage });
  await expect(adding).rejects.toMatchObject({ code: 'role_missing', status: 403 });
});
