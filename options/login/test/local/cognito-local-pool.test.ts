import { afterAll, beforeAll, expect } from '@jest/globals';
import { StandInPool } from '#options/login/local/stand-in-pool.ts';
import { type StandInService, servePool } from '#options/login/local/stand-in-service.ts';
import { needing } from '#test/support/needing.ts';
import { startCognitoLocal } from '#test/support/start-cognito-local.ts';
import { callerOf, clientSettings } from './start-people-login.ts';

/* The stand-in beside cognito-local, another implementation of the same API. */

type Call = ReturnType<typeof callerOf>;
let service: StandInService;
let other: Awaited<ReturnType<typeof startCognitoLocal>>;
let both: readonly Call[];
beforeAll(async () => {
  service = await servePool(new StandInPool({ id: 'local_People' }));
  other = await startCognitoLocal({ UserPoolDefaults: { UsernameAttributes: [] } });
  const created = await callerOf(other.url)('CreateUserPool', { PoolName: 'people' });
  both = [callerOf(service.url), callerOf(other.url, created.body.UserPool.Id)];
});
afterAll(async () => {
  other?.stop();
  await service?.close();
});

/** What both choose freely: dates, and ids that are random. */
const chosen = /^(?:User(?:Create|LastModified)Date|CreationDate|LastModifiedDate|UserPoolId|ClientId|ClientSecret)$/;

/** Replaces what is chosen freely by its type, sorts attributes, and leaves out messages. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable).sort((one, two) => (nameOf(one) < nameOf(two) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const { Name } = value as { Name?: string };
  if (Name === 'sub') return { Name, Value: 'string' };
  const entries = Object.entries(value).filter(([name]) => name !== 'message');
  return Object.fromEntries(
    entries.map(([name, member]) => [name, chosen.test(name) ? typeof member : comparable(member)]),
  );
}

const nameOf = (value: unknown) => String(Object(value).Name ?? Object(value).Username ?? '');

/** Sends the same call to both, and returns their answers in a comparable form. */
async function callBoth(action: string, input: object | ((index: number) => object) = {}) {
  const inputOf = (index: number) => (typeof input === 'function' ? input(index) : input);
  const answers = await Promise.all(both.map((call, index) => call(action, inputOf(index))));
  return { answers, compared: answers.map(({ status, body }) => ({ status, body: comparable(body) })) };
}

async function expectSame(...call: Parameters<typeof callBoth>) {
  const { answers, compared } = await callBoth(...call);
  expect(compared[0]).toEqual(compared[1]);
  return answers;
}

const user = { Username: 'ada' };
const email = [
  { Name: 'email', Value: 'ada@example.com' },
  { Name: 'email_verified', Value: 'true' },
];

needing('cognito-local').test('answers what cognito-local answers on users', async () => {
  const create = { ...user, UserAttributes: email, DesiredDeliveryMediums: ['EMAIL'] };
  await expectSame('AdminCreateUser', create);
  await expectSame('AdminCreateUser', create);
  await expectSame('AdminCreateUser', { Username: 'cy', MessageAction: 'SUPPRESS' });
  await expectSame('AdminGetUser', user);
  await expectSame('AdminUpdateUserAttributes', { ...user, UserAttributes: [{ Name: 'name', Value: 'Ada' }] });
  await expectSame('AdminDisableUser', user);
  await expectSame('AdminGetUser', user);
  await expectSame('AdminEnableUser', user);
  await expectSame('ListUsers');
  await expectSame('ListUsers', { Filter: 'email = "ada@example.com"' });
  await expectSame('AdminDeleteUser', user);
  await expectSame('AdminGetUser', user);
  await expectSame('AdminDisableUser', user);
  // It refuses, but keeps the user.
  await expectSame('AdminCreateUser', { Username: 'bo', UserAttributes: email });
});

needing('cognito-local').test(
  'answers on app clients as cognito-local does, with defaults of Cognito that it lacks',
  async () => {
    const { compared, answers } = await callBoth('CreateUserPoolClient', { ...clientSettings, GenerateSecret: true });
    expect(compared[0]).toMatchObject({
      status: 200,
      // Rotation is unknown to it, and it fills in units that Cognito does not describe.
      body: { UserPoolClient: Object.assign(Object(compared[1]?.body).UserPoolClient, { TokenValidityUnits: {} }) },
    });
    const ids = answers.map(({ body }) => body.UserPoolClient.ClientId);
    const clientOf = (index: number) => ({ ClientId: ids[index] });
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{20,26}$/);
    // It lists whole clients.
    const { compared: lists } = await callBoth('ListUserPoolClients', { MaxResults: 10 });
    expect(lists[1]).toMatchObject(Object(lists[0]));
    await expectSame('DeleteUserPoolClient', clientOf);
    await expectSame('DescribeUserPoolClient', clientOf);
  },
);
