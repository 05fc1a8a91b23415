import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { AuthServiceClient } from '@auth-service/client';
import { interactionPolicy, Provider } from 'oidc-provider';
import { adapter, applications, cookieKeys, findPerson, issuer, jwks, loginPage, port } from './own-settings.ts';

/* npx node examples/login-server/login-server.ts, while `npm start` runs */

const clients = new Map(applications.map(({ clientId, key }) => [clientId, new AuthServiceClient(key)]));
/** The names of a user's roles; none for a user who may not enter. */
const findRoles = async (clientId: unknown, userId: string) => {
  const access = await clients
    .get(String(clientId))
    ?.getAccess(userId)
    .catch(() => undefined);
  return access?.effectiveStatus === 'enabled' ? access.roles.map(({ name }) => name) : undefined;
};

const policy = interactionPolicy.base();
policy.remove('consent');
// A person with a session who has no access to this application.
const { Check } = interactionPolicy;
policy
  .get('login')
  ?.checks.add(
    new Check(
      'no_access',
      'no access',
      ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
    ),
  );

const provider = new Provider(issuer, {
  adapter,
  jwks,
  cookies: { keys: cookieKeys },
  clients: applications.map(({ client }) => client),
  interactions: { policy, url: (_, { uid }) => `/login/${uid}` },
  features: { devInteractions: { enabled: false } },
  issueRefreshToken: async () => true,
  // Called at the login, for the code and for each refresh: without an account, the tokens are refused with invalid_grant.
  findAccount: async ({ oidc }, accountId) => {
    const roles = await findRoles(oidc.client?.clientId, accountId);
    // Named as in the tokens of the service's own login, so that an application can use either.
    return roles && { accountId, claims: () => ({ sub: accountId, user_id: accountId, name: accountId, roles }) };
  },
  claims: { openid: ['sub', 'user_id', 'name', 'roles'] },
  conformIdTokenClaims: false,
  loadExistingGrant: async ({ oidc: { client, session } }) => {
    const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
    grant.addOIDCScope('openid offline_access');
    await grant.save();
    return grant;
  },
});

createServer(async (request, response) => {
  if (!request.url?.startsWith('/login/')) return provider.callback()(request, response);
  const { params, prompt } = await provider.interactionDetails(request, response);
  const form = request.method === 'POST' ? new URLSearchParams(await text(request)) : undefined;
  const userId = form && (await findPerson(form));
  if (userId === undefined && !prompt.reasons.includes('no_access')) return response.end(loginPage(form));
  const isAllowed = userId !== undefined && (await findRoles(params.client_id, userId)) !== undefined;
  const denial = { error: 'access_denied', error_description: 'You have no access to this application.' };
  await provider.interactionFinished(request, response, isAllowed ? { login: { accountId: userId } } : denial);
}).listen(port, '127.0.0.1');
