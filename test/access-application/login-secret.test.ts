import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistrationRequest } from '../../lib/access-application/registration.ts';
import type { RegistrationProperties } from '../../lib/access-application/resource-types.ts';
import { closeServer, listenOn } from '../../local/listen.ts';
import { imitateAws } from '../stack/imitated-account.ts';
import { imitateSecrets } from './secrets-stand-in.ts';

const appId = 'billing';
const issuer = 'https://login.example.com';

interface Key {
  readonly keyId: string;
  readonly label: string;
  readonly scopes: readonly string[];
}

/** The Management API as far as the key of an application and the secrets of its client need it: at most two, as Cognito has them. */
let clientId = 'client-1';
let secrets: { readonly secretId: string; readonly secret: string }[] = [];
let keys: (Key & { readonly token: string })[] = [];
let count = 0;
const manage = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const body = request.method === 'POST' ? await json(request).catch(() => ({})) : {};
  const answer = answerTo(`${request.method} ${url.pathname.replace(/^.*\/billing/, '')}`, {
    body: Object(body),
    keep: url.searchParams.get('keep'),
    token: String(request.headers['idempotency-key']),
  });
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});

interface Asked {
  readonly body: Pick<Key, 'label' | 'scopes'>;
  readonly keep: string | null;
  readonly token: string;
}

function answerTo(request: string, { body, keep, token }: Asked): object {
  if (request === 'GET /login') return { issuer, clientId, error: null };
  if (request === 'POST /login/secrets') return addSecret(keep);
  if (request === 'POST /keys') return issueKey(token, body);
  if (request === 'GET /keys') return { items: keys.map((key) => ({ ...key, revokedAt: null, expiresAt: null })) };
  return { id: 'registration', roles: [{ role: 'admin', appId }] };
}

function addSecret(keep: string | null): object {
  if (secrets.length === 2) {
    const ended = secrets.find(({ secretId }) => secretId !== keep);
    secrets = secrets.filter((each) => each !== ended);
  }
  const added = { secretId: `${clientId}--${++count}`, secret: `client-secret-${count}` };
  secrets.push(added);
  return { clientId, ...added };
}

function issueKey(token: string, { label, scopes }: Asked['body']): object {
  const keyId =
    keys.find((key) => key.token === token)?.keyId ??
    `svk_k1_billing_01M8P9K2M0ZDKRDNCZXP9V${String(++count).padStart(4, '0')}`;
  if (keys.every((key) => key.token !== token)) keys.push({ keyId, label, scopes, token });
  return { keyId, secret: `secret of ${keyId}` };
}

let answer: Readonly<Record<string, unknown>> = {};
const cloudFormation = createServer(async (request, response) => {
  answer = (await json(request)) as typeof answer;
  response.end();
});
const { account, url: cloudFormationUrl } = imitateAws();
let stored: Awaited<ReturnType<typeof imitateSecrets>>;
let [manageUrl, responseUrl] = ['', ''];
let register: (event: object) => Promise<void>;

beforeAll(async () => {
  manageUrl = `http://127.0.0.1:${await listenOn(manage, 0)}`;
  responseUrl = `http://127.0.0.1:${await listenOn(cloudFormation, 0)}`;
  stored = await imitateSecrets();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormationUrl(),
    AWS_ENDPOINT_URL_SECRETSMANAGER: stored.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  const loaded: object = await import('../../lib/access-application/functions/register-application.ts');
  ({ handler: register } = loaded as { handler: typeof register });
});
beforeEach(async () => {
  clientId = 'client-1';
  // The one with which the client was created, which nobody knows.
  secrets = [{ secretId: 'client-1--0', secret: 'initial' }];
  keys = [];
  Object.assign(account, { outputs: {}, status: 'CREATE_IN_PROGRESS' });
  stored.failing.clear();
  stored.versions.clear();
  stored.versions.set('first', { text: '{"pending":"x"}', stages: new Set(['AWSCURRENT']) });
  await deploy();
});
afterAll(async () => {
  stored.close();
  await closeServer(manage);
  await closeServer(cloudFormation);
});

const properties = (): RegistrationProperties => ({
  ManageUrl: manageUrl,
  AppId: appId,
  Force: 'false',
  Url: `${manageUrl}/`,
  Label: 'BillingKey',
  Scopes: 'access:read',
  SecretId: 'arn:secret',
  ClientType: 'confidential',
});

/** Sends the request of a deployment; returns the reason if it fails. */
async function deploy(given: Partial<RegistrationProperties> = {}, token: string = randomUUID()): Promise<unknown> {
  const request: RegistrationRequest = {
    RequestType: 'Update',
    ResourceType: 'Custom::AccessApplicationKey',
    ResponseURL: responseUrl,
    StackId: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Billing/1a2b',
    RequestId: token,
    LogicalResourceId: 'key',
    PhysicalResourceId: `${appId}/key`,
    ResourceProperties: { ...properties(), ...given },
  };
  await register(request);
  return answer.Reason;
}

async function rotate(token: string = randomUUID()): Promise<void> {
  process.env.KEY_PROPERTIES = JSON.stringify(properties());
  for (const Step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
    await register({ Step, SecretId: 'arn:secret', ClientRequestToken: token });
  }
}

const inUse = () => stored.valueAt('AWSCURRENT') ?? {};
const accepted = () => secrets.map(({ secret }) => secret);

describe('the secret of a confidential client', () => {
  test('is kept with the key, and CloudFormation gets nothing of it', () => {
    expect(inUse()).toMatchObject({ issuer, clientId, clientSecretId: secrets[1]?.secretId, url: `${manageUrl}/` });
    expect(accepted()).toContain(inUse().clientSecret);
    expect(answer).not.toHaveProperty('Data');
    expect(JSON.stringify(answer)).not.toContain(inUse().clientSecret);
  });

  test('stays when the key is another one, and a repeated deployment adds none', async () => {
    const before = [inUse().clientSecret, accepted()];
    const { keyId } = inUse();
    await deploy({ Scopes: 'access:read,roles:write' });
    await deploy({ Scopes: 'access:read,roles:write' });
    expect([inUse().clientSecret, accepted()]).toEqual(before);
    expect(inUse().keyId).not.toBe(keyId);
  });

  test('is replaced by a rotation, and stays valid until the next one', async () => {
    const used = [inUse().clientSecret];
    for (const _ of [1, 2, 3]) {
      await rotate();
      used.push(inUse().clientSecret);
      expect(accepted()).toEqual(used.slice(-2));
    }
    expect(new Set(used).size).toBe(4);
  });

  test.each(['PutSecretValue', 'UpdateSecretVersionStage'])(
    'stays valid however often a rotation fails at %s',
    async (operation) => {
      const { clientSecret } = inUse();
      stored.failing.add(operation);
      const token = randomUUID();
      for (const each of [token, token, randomUUID(), token]) await expect(rotate(each)).rejects.toThrow();
      expect(inUse().clientSecret).toBe(clientSecret);
      expect(accepted()).toContain(clientSecret);
      stored.failing.clear();
      await rotate();
      expect(accepted()).toEqual([clientSecret, inUse().clientSecret]);
    },
  );

  test('stays valid when a deployment fails to store another key, and a repeat stores it', async () => {
    const { clientSecret } = inUse();
    stored.failing.add('PutSecretValue');
    const token = randomUUID();
    expect(await deploy({ Scopes: 'roles:write' }, token)).toMatch(/^secretsmanager answered 400/);
    stored.failing.clear();
    expect(await deploy({ Scopes: 'roles:write' }, token)).toBeUndefined();
    expect([inUse().clientSecret, accepted()]).toEqual([clientSecret, expect.arrayContaining([clientSecret])]);
  });

  test('leaves the stored key with the login, and a deployment that is rolled back returns to it', async () => {
    const before = inUse();
    await deploy({ ClientType: 'public' });
    expect(Object.keys(inUse()).sort()).toEqual(['keyId', 'secret', 'url']);
    await deploy();
    expect(inUse()).toEqual(before);
  });

  test('of a login that was set again is another one after the next deployment', async () => {
    clientId = 'client-2';
    secrets = [{ secretId: 'client-2--0', secret: 'initial' }];
    await deploy();
    expect(inUse()).toMatchObject({ clientId: 'client-2', clientSecret: secrets[1]?.secret });
  });
});
