import { expect, jest, test } from '@jest/globals';
import { type LoginOptions, type TokenEvent, tokenTrigger } from '../../client/cognito.ts';
import { AuthServiceClient } from '../../client/index.ts';
import { access, problem, stubFetch, testKey } from './client-fixture.ts';

/** The events of the developer guide, shortened. */
const event = (version: string, changed: Partial<TokenEvent> = {}): TokenEvent => ({
  version,
  triggerSource: 'TokenGeneration_Authentication',
  userPoolId: 'eu-west-1_EXAMPLE',
  userName: 'testuser',
  callerContext: { clientId: 'web' },
  request: {
    userAttributes: { sub: 'ada', 'cognito:user_status': 'CONFIRMED' },
    groupConfiguration: { groupsToOverride: ['staff'], iamRolesToOverride: [], preferredRole: null },
  },
  response: {},
  ...changed,
});

const answering = (answer: object, status = 200) => {
  const { fetch } = stubFetch(() => Response.json(answer, { status }));
  return new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch });
};
const withRoles = { ...access, roles: ['editor', 'owner'].map((name) => ({ name, expiresAt: null })) };
const blocked = { ...access, effectiveStatus: 'disabled', decidedBy: 'explicit' };
const userId = ({ request }: TokenEvent) => request.userAttributes?.sub;
const trigger = (source: AuthServiceClient, more: Partial<LoginOptions<TokenEvent>> = {}) =>
  tokenTrigger({ applications: { web: { source } }, userId, ...more });

const groups = { groupOverrideDetails: event('1').request.groupConfiguration };

test('adds the roles to the ID token as a text with V1, and keeps the groups', async () => {
  expect((await trigger(answering(withRoles))(event('1'))).response).toEqual({
    claimsOverrideDetails: { claimsToAddOrOverride: { roles: 'editor owner' }, ...groups },
  });
});

test.each(['2', '3'])('adds the roles to both tokens as a list with V%s, and keeps the groups', async (version) => {
  const added = { claimsToAddOrOverride: { 'https://example.com/roles': ['editor', 'owner'] } };
  const handle = trigger(answering(withRoles), { claim: 'https://example.com/roles' });
  expect((await handle(event(version))).response).toEqual({
    claimsAndScopeOverrideDetails: { idTokenGeneration: added, accessTokenGeneration: added, ...groups },
  });
});

test('sets the claim without roles too, and returns the rest of the event as it came', async () => {
  const { response, ...rest } = await trigger(answering(access))(event('1'));
  const { response: _, ...given } = event('1');
  expect(rest).toEqual(given);
  expect(response).toMatchObject({ claimsOverrideDetails: { claimsToAddOrOverride: { roles: '' } } });
});

const denied = 'You have no access to this application.';
test.each([
  ['a blocked user', answering(blocked), {}, denied],
  ['an unknown user', answering(problem('user_not_found'), 404), {}, denied],
  ['a user without a role that is required', answering(access), { role: 'editor' }, 'You lack a role'],
])('denies %s at the login and at a refresh', async (_, source, more, message) => {
  const handle = tokenTrigger({ applications: { web: { source, ...more } }, userId });
  for (const triggerSource of ['TokenGeneration_HostedAuth', 'TokenGeneration_RefreshTokens']) {
    await expect(handle(event('2', { triggerSource }))).rejects.toThrow(message);
  }
});

test('denies an app client that no application has, also one named like a member of every object', async () => {
  const handle = trigger(answering(access));
  for (const clientId of ['mobile', 'constructor', '__proto__']) {
    await expect(handle(event('2', { callerContext: { clientId } }))).rejects.toThrow('cannot be used here');
  }
});

test('denies an event without the attribute that names the user', async () => {
  const request = { userAttributes: { email: 'ada@example.com' } };
  await expect(trigger(answering(access))(event('2', { request }))).rejects.toThrow('cannot be used here');
});

test('while the service is unavailable, denies unless the options say otherwise, and then gives no roles', async () => {
  const source = answering(problem('unavailable'), 503);
  const timeoutMilliseconds = 50;
  await expect(trigger(source, { timeoutMilliseconds })(event('2'))).rejects.toThrow('cannot be checked now');
  const allowed = await trigger(source, { timeoutMilliseconds, whenUnavailable: 'allow' })(event('1'));
  expect(allowed.response).toEqual({ claimsOverrideDetails: { claimsToAddOrOverride: { roles: '' }, ...groups } });
  const known = answering(blocked);
  await expect(trigger(known, { whenUnavailable: 'allow' })(event('1'))).rejects.toThrow(denied);
});

test.each([
  ['key_revoked', {}],
  ['too_many_requests', {}],
  ['unavailable', { role: 'editor' }],
])('opens no login after %s with %p, as a guard does not', async (code, more) => {
  const source = { getAccess: () => Promise.reject(Object.assign(new Error(code), { code })) };
  const handle = tokenTrigger({ applications: { web: { source, ...more } }, userId, whenUnavailable: 'allow' });
  await expect(handle(event('2'))).rejects.toThrow('cannot be checked now');
});

test('answers before Cognito stops waiting', async () => {
  const source = { getAccess: () => new Promise<never>(() => undefined) };
  const onDecision = jest.fn<NonNullable<LoginOptions<TokenEvent>['onDecision']>>();
  const handle = tokenTrigger({ applications: { web: { source } }, userId, timeoutMilliseconds: 20, onDecision });
  await expect(handle(event('2'))).rejects.toThrow('cannot be checked now');
  expect(onDecision.mock.lastCall?.[0]).toMatchObject({ status: 503, error: new Error('No decision within 20 ms') });
});

test('returns the event of client credentials unchanged: no user logs in', async () => {
  const machine = event('3', { triggerSource: 'TokenGeneration_ClientCredentials', request: {} });
  expect(await trigger(answering(blocked))(machine)).toBe(machine);
});

test('reports each decision, and ignores an error of the report', async () => {
  const decisions: unknown[] = [];
  const onDecision = (decision: object, { userName }: TokenEvent) => {
    decisions.push({ ...decision, userName });
    throw new Error('The log is full');
  };
  await expect(trigger(answering(blocked), { onDecision })(event('2'))).rejects.toThrow(denied);
  expect(decisions).toEqual([expect.objectContaining({ code: 'access_denied', userId: 'ada', userName: 'testuser' })]);
});

test.each([
  [{}, 'applications of tokenTrigger is missing'],
  [{ applications: {} }, 'applications of tokenTrigger is not valid'],
  [{ applications: { web: {} } }, 'applications of tokenTrigger is not valid'],
  [{ applications: { web: { source: answering(access), role: [] } }, userId }, 'role of guard is not valid'],
  [{ applications: { web: { source: answering(access) } } }, 'userId of tokenTrigger is missing'],
  [
    { applications: { web: { source: answering(access) } }, userId, whenUnavailable: 'open' },
    'whenUnavailable of tokenTrigger is not valid',
  ],
  [
    { applications: { web: { source: answering(access) } }, userId, timeoutMilliseconds: 6000 },
    'timeoutMilliseconds of tokenTrigger is not valid',
  ],
])('refuses options that are wrong', (options, message) => {
  expect(() => tokenTrigger(options as never)).toThrow(message);
});
