import { expect, test } from '@jest/globals';
import { type PostLoginEvent, postLogin } from '../../client/auth0.ts';
import { AuthServiceClient } from '../../client/index.ts';
import { access, problem, stubFetch, testKey } from './client-fixture.ts';

const event: PostLoginEvent = {
  client: { client_id: 'web' },
  user: { user_id: 'auth0|ada', email: 'ada@example.com' },
  secrets: {},
};
const claim = 'https://example.com/roles';
const userId = ({ user }: PostLoginEvent) => user.user_id;

/** What the Action does at a login that the service answers in this way. */
async function login(answer: object, status = 200, clientId = 'web') {
  const done: unknown[] = [];
  const tokenApi = (token: string) => ({ setCustomClaim: (...given: unknown[]) => done.push([token, ...given]) });
  const api = {
    access: { deny: (reason: string) => done.push(['deny', reason]) },
    idToken: tokenApi('id'),
    accessToken: tokenApi('access'),
  };
  const { fetch } = stubFetch(() => Response.json(answer, { status }));
  const source = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch });
  const options = { applications: { web: { source } }, userId, claim, timeoutMilliseconds: 1000 };
  await postLogin(options)({ ...event, client: { client_id: clientId } }, api);
  return done;
}

const ofUser = { ...access, userId: 'auth0|ada' };

test('adds the roles to both tokens as a list', async () => {
  expect(await login({ ...ofUser, roles: [{ name: 'editor', expiresAt: null }] })).toEqual([
    ['id', claim, ['editor']],
    ['access', claim, ['editor']],
  ]);
});

test.each([
  ['a blocked user', { ...ofUser, effectiveStatus: 'disabled' }, 200, 'web', 'You have no access to this application.'],
  ['an unknown user', problem('user_not_found'), 404, 'web', 'You have no access to this application.'],
  [
    'everyone while the service is unavailable',
    problem('unavailable'),
    503,
    'web',
    'Your access cannot be checked now.',
  ],
  ['a client that no application has', ofUser, 200, 'other', 'This account cannot be used here.'],
])('denies %s, and adds nothing', async (_, answer, status, clientId, reason) => {
  expect(await login(answer, status, clientId)).toEqual([['deny', expect.stringContaining(reason)]]);
});

test('refuses a claim that Auth0 reserves', () => {
  const options = { applications: { web: { source: { getAccess: () => ofUser as never } } }, userId, claim: 'roles' };
  expect(() => postLogin(options)).toThrow('claim of postLogin must be a URL');
});
