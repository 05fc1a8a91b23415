import { Metrics } from '@aws-lambda-powertools/metrics';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { handler } from '../functions/pre-sign-up.ts';
import { accountOf, begin, create, deleteAccountOf, invite, setEmail, setStatus } from './server/account-steps.ts';
import { follow, passing, poolForEachTest } from './server/pool-world.ts';

const world = poolForEachTest();
const provider = { name: 'Example', type: 'OIDC', domains: ['example.com'] };
const again = 'Your account is connected now. Log in again.';
const denial = 'You have no account here.';

beforeEach(() => set(provider));
afterEach(() => {
  delete process.env.LOGIN_PROVIDER;
});

function set(value: object): void {
  process.env.LOGIN_PROVIDER = JSON.stringify(value);
}

const claimed = {
  'cognito:email_alias': '',
  'cognito:phone_number_alias': '',
  'custom:provider_subject': 'Subject-of-Ada',
  'custom:provider_email': 'Ada@Example.com',
  'custom:provider_verified': 'true',
};

/** The event with which Cognito begins a first login at another provider; names ignore case in a pool as that of the stack. */
const eventOf = (attributes: object = {}, more: object = {}) => ({
  version: '1',
  region: 'eu-central-1',
  userPoolId: 'local_People',
  userName: 'example_subject-of-ada',
  callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'a-client' },
  triggerSource: 'PreSignUp_ExternalProvider',
  request: { userAttributes: { ...claimed, ...attributes }, validationData: {} },
  response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  ...more,
});

/** What Cognito shows. */
const signUp = (attributes?: object, more?: object) =>
  passing(handler(eventOf(attributes, more))).then(
    () => 'a new account',
    (error: Error) => error.message,
  );
const identities = (id = 'ada') => JSON.parse(world.pool.users.get(id)?.attributes.identities ?? '[]');
const ofAda = { providerName: 'Example', userId: 'Subject-of-Ada' };

describe("the first login at a company's provider", () => {
  test('connects the account of the user with the verified address to the exact subject, and ends with what the next login is for', async () => {
    await begin(world);
    expect(await signUp()).toBe(again);
    expect(identities()).toEqual([ofAda]);
    expect(world.pool.users.size).toBe(1);
  });

  test('answers the same when it is repeated before the next login', async () => {
    await begin(world);
    await signUp();
    expect(await signUp()).toBe(again);
    expect(identities()).toEqual([ofAda]);
  });

  test.each([
    ['an address that the provider has not verified', { 'custom:provider_verified': 'false' }],
    ['an address of which it says nothing', { 'custom:provider_verified': undefined }],
    ['no address', { 'custom:provider_email': undefined }],
    ['no subject', { 'custom:provider_subject': undefined }],
    ['an address that begins as one of its domains', { 'custom:provider_email': 'ada@example.com@evil.example' }],
    ['an address of no user', { 'custom:provider_email': 'mei@example.com' }],
    ['the id of a user for an address', { 'custom:provider_email': 'ada' }],
  ])('gives nothing for %s', async (_, attributes) => {
    await begin(world);
    expect(await signUp(attributes)).toBe(denial);
    expect(identities()).toEqual([]);
  });

  test("gives nobody the account of a user whose address is of another domain, although it is the user's", async () => {
    await begin(world, 'ada', 'ada@partner.example');
    expect(await signUp({ 'custom:provider_email': 'ada@partner.example' })).toBe(denial);
    expect(identities()).toEqual([]);
  });

  test('takes no letter that only becomes one of the address in lower case', async () => {
    set({ ...provider, domains: ['kiosk.example'] });
    await begin(world, 'kim', 'kim@kiosk.example');
    expect(await signUp({ 'custom:provider_email': '\u212Aim@kiosk.example' })).toBe(denial);
    expect(await signUp({ 'custom:provider_email': 'kim@\u212Aiosk.example' })).toBe(denial);
    expect(identities('kim')).toEqual([]);
  });

  test('gives the account to one identity: not to the next owner of the address', async () => {
    await begin(world);
    await signUp();
    const next = { 'custom:provider_subject': 'Another' };
    expect(await signUp(next, { userName: 'example_another' })).toBe(denial);
    expect(identities()).toEqual([ofAda]);
  });

  test('gives nothing for an address that the user no longer has, nor to whoever may not log in', async () => {
    await begin(world);
    await setEmail('ada', 'lovelace@example.com');
    expect(await signUp()).toBe(denial);
    await setEmail('ada', 'ada@example.com');
    await setStatus('ada', 'inactive');
    expect(await signUp()).toBe(denial);
    await setStatus('ada', 'active');
    await deleteAccountOf('ada');
    expect(await signUp()).toBe(denial);
    expect(identities()).toEqual([]);
  });

  test('gives nothing to an account that the service has not made', async () => {
    await begin(world);
    const account = world.pool.users.get('ada');
    if (account === undefined) throw new Error('There is no account');
    account.attributes['custom:user_created_at'] = '2026-11-20T18:59:59.999Z';
    expect(await signUp()).toBe(denial);
    delete account.attributes['custom:user_id'];
    expect(await signUp()).toBe(denial);
    expect(identities()).toEqual([]);
  });

  test('is refused for another provider, and in a deployment without one', async () => {
    await begin(world);
    expect(await signUp({}, { userName: 'examples_subject-of-ada' })).toBe(denial);
    delete process.env.LOGIN_PROVIDER;
    expect(await signUp()).toBe(denial);
    expect(identities()).toEqual([]);
  });

  test('says no more than that there is an outage, and is tried again, while Cognito does not answer', async () => {
    await begin(world);
    world.fault = () => ({ code: 'NotAuthorizedException', message: 'ada@example.com' });
    const counted = jest.spyOn(Metrics.prototype, 'addMetric');
    expect(await signUp()).toBe('The login is not available. Try again.');
    expect(counted).not.toHaveBeenCalled();
    world.fault = undefined;
    expect(await signUp()).toBe(again);
    expect(counted.mock.calls.map(([name]) => name)).toEqual(['LoginsRefused']);
    counted.mockRestore();
  });

  test('by SAML is connected by the address, of which the assertion says the truth; Cognito knows its id in lower case alone', async () => {
    set({ ...provider, type: 'SAML' });
    await begin(world);
    const saml = { 'custom:provider_verified': undefined, 'custom:provider_subject': undefined };
    const linked: unknown[] = [];
    world.afterCall = async (action) => void linked.push(action);
    expect(await signUp(saml, { userName: 'example_nameid' })).toBe(again);
    expect(identities()).toEqual([{ providerName: 'Example', userId: 'Ada@Example.com' }]);
    expect(linked).toEqual(['AdminGetUser', 'AdminLinkProviderForUser']);
  });
});

test('nobody signs up, and the service creates accounts', async () => {
  expect(await signUp({}, { triggerSource: 'PreSignUp_SignUp' })).toBe(denial);
  const event = eventOf({}, { triggerSource: 'PreSignUp_AdminCreateUser' });
  expect(await handler(event)).toBe(event);
});

describe("the account of whoever logs in at a company's provider", () => {
  const invitations: unknown[] = [];
  const record = () => {
    invitations.length = 0;
    world.fault = (action, input) => {
      if (action === 'AdminCreateUser') invitations.push(Object(input).MessageAction);
      return undefined;
    };
  };

  test('is sent no password, also when the user is invited again; the others are', async () => {
    record();
    await create('ada');
    await invite('ada');
    await create('mei', 'mei@partner.example');
    await invite('mei');
    await follow(world);
    // Accounts are told in any order; `undefined` is sorted last.
    expect(invitations.toSorted()).toEqual(['SUPPRESS', undefined]);
    jest.advanceTimersByTime(1000);
    await invite('ada');
    await invite('mei');
    await follow(world);
    expect(invitations.toSorted()).toEqual(['RESEND', 'SUPPRESS', undefined]);
  });

  test('is confirmed once it is connected, although nobody has chosen a password', async () => {
    await create('ada');
    await invite('ada');
    await follow(world);
    expect(await accountOf('ada')).toMatchObject({ state: 'invited', provider: null });
    await signUp();
    expect(world.pool.users.get('ada')?.UserStatus).toBe('FORCE_CHANGE_PASSWORD');
    expect(await accountOf('ada')).toMatchObject({ state: 'confirmed', provider: 'Example' });
  });
});
