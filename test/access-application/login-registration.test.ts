import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistrationRequest } from '../../lib/access-application/registration.ts';
import { closeServer, listenOn } from '../../local/listen.ts';
import { imitateAws } from '../stack/imitated-account.ts';

const appId = 'billing';
const issuer = 'https://login.example.com';
const redirectUris = ['https://billing.example.com/callback'];

/** The Management API as far as a login needs it, and what it was asked. */
let login: { issuer: string | null; clientId: string | null; error: string | null };
let asked: string[] = [];
let readsUntilClient = 0;
/** What the provider says of the addresses that were set, after as many reads. */
let later: string | null | undefined;
const manage = createServer(async (request, response) => {
  const path = (request.url ?? '').replace('/api/manage', '');
  const body = request.method === 'PUT' ? JSON.stringify(await json(request)) : '';
  asked.push(`${request.method} ${path} ${body}`.trim());
  const isRead = request.method === 'GET' && path.endsWith('/login');
  if (isRead && readsUntilClient-- <= 0) {
    login.clientId ??= 'a-client';
    if (later !== undefined) login.error = later;
  }
  const operator = { id: 'registration', roles: [{ role: 'admin', appId }] };
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify(path === '/operator' ? operator : { ...login, changed: true }));
});
let answer: Readonly<Record<string, unknown>> = {};
const cloudFormation = createServer(async (request, response) => {
  answer = (await json(request)) as typeof answer;
  response.end();
});
const { account, url: cloudFormationUrl } = imitateAws();
let [manageUrl, responseUrl] = ['', ''];
let register: (event: object) => Promise<void>;

beforeAll(async () => {
  manageUrl = `http://127.0.0.1:${await listenOn(manage, 0)}`;
  responseUrl = `http://127.0.0.1:${await listenOn(cloudFormation, 0)}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormationUrl(),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  ({ handler: register } = (await import(
    '../../lib/access-application/functions/register-application.ts'
  )) as unknown as { handler: typeof register });
});
beforeEach(() => {
  login = { issuer, clientId: null, error: null };
  asked = [];
  readsUntilClient = 0;
  later = undefined;
  Object.assign(account, { outputs: {}, status: 'CREATE_IN_PROGRESS' });
});
afterAll(async () => {
  await closeServer(manage);
  await closeServer(cloudFormation);
});

async function send(kind: RegistrationRequest['RequestType']) {
  await register({
    RequestType: kind,
    ResourceType: 'Custom::AccessApplicationLogin',
    ResponseURL: responseUrl,
    StackId: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Billing/1a2b',
    RequestId: randomUUID(),
    LogicalResourceId: 'login',
    ...(kind === 'Create' ? {} : { PhysicalResourceId: `${appId}/login` }),
    ResourceProperties: {
      ManageUrl: manageUrl,
      AppId: appId,
      Force: 'false',
      RedirectUris: JSON.stringify(redirectUris),
      LogoutUris: '[]',
    },
  });
  return answer;
}

describe('the login of an application in its own stack', () => {
  test('is set, and once it has a client the template can read its id and the issuer', async () => {
    readsUntilClient = 1;
    expect(await send('Create')).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'billing/login',
      Data: { ClientId: 'a-client', Issuer: issuer },
    });
    const body = JSON.stringify({ clientType: 'public', redirectUris, logoutUris: [] });
    const read = 'GET /applications/billing/login';
    expect(asked).toEqual(['GET /operator', `PUT /applications/billing/login ${body}`, read, read]);
  });

  test('keeps its id when it changes, so that CloudFormation does not delete it afterwards', async () => {
    expect(await send('Update')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'billing/login' });
  });

  test('fails at a service without a login, and says what its team must set', async () => {
    login.issuer = null;
    const Reason = 'The service has no login: its team sets the setting login to on';
    expect(await send('Create')).toMatchObject({ Status: 'FAILED', Reason });
  });

  test('fails with what the provider said', async () => {
    later = 'Too many clients.';
    const Reason = 'The login of the application was refused: Too many clients.';
    expect(await send('Create')).toMatchObject({ Status: 'FAILED', Reason });
  });

  test('does not fail with what the provider said of the addresses before, as in a deployment that is rolled back', async () => {
    Object.assign(login, { clientId: 'a-client', error: 'The address is not allowed.' });
    readsUntilClient = 1;
    later = null;
    expect(await send('Update')).toMatchObject({ Status: 'SUCCESS', Data: { ClientId: 'a-client' } });
  });

  test('is deleted when it leaves the stack, but not when a deployment fails', async () => {
    account.status = 'ROLLBACK_IN_PROGRESS';
    expect(await send('Delete')).toMatchObject({ Status: 'SUCCESS' });
    expect(asked).toEqual([]);
    account.status = 'UPDATE_IN_PROGRESS';
    expect(await send('Delete')).toMatchObject({ Status: 'SUCCESS' });
    expect(asked).toEqual(['DELETE /applications/billing/login']);
  });
});
