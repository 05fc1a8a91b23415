import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { AskOperation } from '#test/support/ask-operation.ts';
import { eventually } from '#test/support/eventually.ts';
import type { GuardedStack } from '#test/support/guarded-stack.ts';
import { deleted, nobody, nowhere, setInactive } from '#test/support/manage-outcomes/prepare.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import type { ManageOutcomes } from '#test/support/outcomes.ts';
import { operator } from '#test/support/start-service.ts';
import { aTimestamp } from '#test/support/view-shapes.ts';
import { StandInPool } from '../local/stand-in-pool.ts';
import { answerAction } from '../local/stand-in-service.ts';

const redirectUris = ['https://app.example.com/callback'];
const body = { redirectUris, logoutUris: ['https://app.example.com/'] };
const recorded = {
  clientType: 'public',
  redirectUris: redirectUris.join(' '),
  logoutUris: 'https://app.example.com/',
};
const unset = { clientType: null, redirectUris: null, logoutUris: null };
const notInvited = { invitedAt: null, signedOutAt: null };

/** A text or `null`, as the deployment has a login or none. */
const perhaps = { asymmetricMatch: (value: unknown) => value === null || typeof value === 'string' };
const aLogin = { enabled: true, clientType: 'public', ...body, clientId: perhaps, issuer: perhaps, error: perhaps };
const anAccount = {
  invitedAt: aTimestamp,
  signedOutAt: null,
  mfa: [],
  provider: null,
  issuer: perhaps,
  state: 'pending',
  error: perhaps,
};

async function appWithLogin(clientType: 'public' | 'confidential' = 'public') {
  const { setLogin } = await import('../server/logins.ts');
  const appId = await newApplication();
  await setLogin({ appId: appId as AppId, clientType, ...body }, operator);
  return { appId };
}

async function invitedUser() {
  const { inviteUser } = await import('../server/accounts.ts');
  const userId = await newUser();
  await inviteUser({ userId: userId as UserId }, operator);
  return { userId };
}

/** The requests of operators for logins and accounts. */
function manage() {
  return {
    'get-login': {
      done: async () => {
        const path = await appWithLogin();
        return { call: { path }, status: 200, answer: { ...path, ...aLogin } };
      },
      refused: async () => ({ call: { path: nowhere }, status: 404 }),
    },
    'set-login': {
      done: async () => {
        const appId = await newApplication();
        return {
          call: { path: { appId }, body },
          status: 200,
          answer: { appId, ...aLogin, changed: true },
          change: () => ({
            action: 'login.changed',
            appId,
            before: { ...unset, version: 1 },
            after: { ...recorded, version: 2 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: await appWithLogin(), body }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, body }, status: 404 }),
      'refused, another kind of client': async () => ({
        call: { path: await appWithLogin(), body: { ...body, clientType: 'confidential' } },
        status: 400,
      }),
    },
    'delete-login': {
      done: async () => {
        const path = await appWithLogin();
        return {
          call: { path },
          status: 200,
          answer: deleted,
          change: () => ({
            action: 'login.deleted',
            ...path,
            before: { ...recorded, version: 2 },
            after: { ...unset, version: 3 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: { appId: await newApplication() } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere }, status: 404 }),
    },
    'add-login-secret': {
      done: { never: 'It takes a client of the provider, which another test has.' },
      unchanged: { never: 'Each request adds another one.' },
      refused: async () => ({ call: { path: await appWithLogin() }, status: 400 }),
    },
    'get-account': {
      done: async () => {
        const path = await invitedUser();
        return { call: { path }, status: 200, answer: { ...path, ...anAccount } };
      },
      'done without an account': async () => ({ call: { path: { userId: await newUser() } }, status: 200 }),
      refused: async () => ({ call: { path: nobody }, status: 404 }),
    },
    'invite-user': {
      done: async () => {
        const path = { userId: await newUser() };
        return {
          call: { path },
          status: 200,
          answer: { ...path, ...anAccount, changed: true },
          change: () => ({
            action: 'user.invited',
            ...path,
            before: { ...notInvited, version: 1 },
            after: { ...notInvited, invitedAt: aTimestamp, version: 2 },
          }),
        };
      },
      unchanged: { never: 'Each request invites once more.' },
      refused: async () => ({ call: { path: nobody }, status: 404 }),
    },
    'sign-out-user': {
      done: async () => {
        const path = await invitedUser();
        return {
          call: { path },
          status: 200,
          answer: { ...path, ...anAccount, signedOutAt: aTimestamp, changed: true },
          change: () => ({
            action: 'user.signed.out',
            ...path,
            before: { ...notInvited, invitedAt: aTimestamp, version: 2 },
            after: { invitedAt: aTimestamp, signedOutAt: aTimestamp, version: 3 },
          }),
        };
      },
      unchanged: async () => ({ call: { path: { userId: await newUser() } }, status: 200 }),
      refused: async () => ({ call: { path: nobody }, status: 404 }),
    },
    'delete-account': {
      done: async () => {
        const path = await invitedUser();
        return {
          call: { path },
          status: 200,
          answer: deleted,
          change: () => ({
            action: 'user.account.deleted',
            ...path,
            before: { ...notInvited, invitedAt: aTimestamp, version: 2 },
            after: { ...notInvited, version: 3 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: { userId: await newUser() } }, status: 200 }),
      refused: async () => ({ call: { path: nobody }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}

const pool = new StandInPool({ id: 'any', onSignOut: () => undefined });

/** Cognito for the functions of a stack, whatever the id of its pool is. */
const services: OptionOutcomes['services'] = {
  'cognito-idp': (target, input) => answerAction(pool, target, { ...input, UserPoolId: pool.id }),
};

/** Sets a login with a secret, which is changed, removed and made again, and an account that is changed, blocked and deleted. */
async function play(stack: GuardedStack, ask: AskOperation): Promise<void> {
  const [appId, userId] = [await newApplication(), await newUser()];
  const [app, user] = [{ path: { appId } }, { path: { userId } }];
  const told = (isDone: () => boolean) =>
    eventually(
      async () => isDone(),
      (done) => done,
    );
  await ask('set-login', { ...app, body: { ...body, clientType: 'confidential' } });
  const client = () => [...pool.clients.values()].find(({ settings }) => settings.ClientName === appId);
  await eventually(
    async () => (await ask('get-login', app)).body,
    ({ clientId }) => clientId !== null,
  );
  for (let secrets = 0; secrets < 2; secrets++) await ask('add-login-secret', app);
  await ask('set-login', { ...app, body: { redirectUris, clientType: 'confidential' } });
  await told(() => client()?.settings.LogoutURLs?.length === 0);
  await ask('update-user', { ...user, body: { email: 'played@example.com' } });
  await ask('invite-user', user);
  const account = () => pool.users.get(userId);
  await told(() => account() !== undefined);
  await ask('get-account', user);
  await stack.invoke('pre-token-generation', {
    version: '2',
    triggerSource: 'TokenGeneration_HostedAuth',
    userName: account()?.Username,
    callerContext: { clientId: client()?.ClientId },
    request: { userAttributes: account()?.attributes },
    response: {},
  });
  await ask('invite-user', user);
  await ask('update-user', { ...user, body: { email: 'moved@example.com' } });
  await told(() => account()?.attributes.email === 'moved@example.com');
  await setInactive(userId);
  await told(() => account()?.Enabled === false);
  await ask('set-user-status', { ...user, body: { status: 'active' } });
  await told(() => account()?.Enabled === true);
  // By hand: a repair finds it, and hands it to the function that the schedule invokes.
  pool.users.delete(userId);
  pool.clients.delete(client()?.ClientId ?? '');
  await repairAll(ask);
  // The schedule leaves a minute to the function that was invoked with the change.
  await stack.invoke('sync-login', {});
  await stack.invoke('sync-login', { userIds: [userId], appIds: [appId] });
  await told(() => account() !== undefined && client() !== undefined);
  await ask('delete-account', user);
  await told(() => account() === undefined);
  await ask('delete-login', app);
  await told(() => client() === undefined);
}

/** Repairs the whole table, a page at a time. */
async function repairAll(ask: AskOperation): Promise<void> {
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    ({ cursor } = (await ask('repair', { query })).body);
  } while (typeof cursor === 'string');
}

/** What its examples show is there some seconds after it was set. */
const askExample: OptionOutcomes['askExample'] = async (name, shown, ask) => {
  if (name !== 'get-login' && name !== 'get-account') return undefined;
  const expected = Object(shown);
  return eventually(
    async () => ask({}),
    ({ body: { clientId, state } }) => (name === 'get-login' ? clientId !== null : state === expected.state),
  );
};

const viewer = ['get-login', 'get-account'];
const support = ['invite-user', 'sign-out-user', 'delete-account'];
const admin = ['set-login', 'delete-login', 'add-login-secret'];
const examples = [
  'set-login',
  'get-login',
  'add-login-secret',
  'delete-login',
  'invite-user',
  'get-account',
  'sign-out-user',
  'delete-account',
];

/** What logins add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  manage,
  services,
  play,
  unplayed: ['login.secret.added'],
  askExample,
  allowed: { viewer, support, admin },
  global: support,
  always: ['get-account'],
  examples,
};
