import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import type { KeyView } from '#shared/contract/api-key.ts';
import type { RegistrationRequest } from '../../lib/access-application/registration.ts';
import type { RegistrationProperties } from '../../lib/access-application/resource-types.ts';
import { serveFunctionUrl } from '../../local/function-url.ts';
import { imitateAws } from '../stack/imitated-account.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { imitateSecrets } from './secrets-stand-in.ts';

/** The role that may register, of an application of its own for each test. */
const roleOf = (appId: string) => `arn:aws:sts::111122223333:assumed-role/${appId}-registration`;
const appIds = Array.from({ length: 40 }, (_, n) => `team-${n}`);
process.env.OPERATOR_ROLES = JSON.stringify({
  token: { claim: 'cognito:groups' },
  arns: {},
  limited: Object.fromEntries(appIds.map((appId) => [`${roleOf(appId)}/*`, `admin:${appId}`])),
});

let service: TestService;
let manage: ReturnType<typeof manageClient>;
let secrets: Awaited<ReturnType<typeof imitateSecrets>>;
let served: Awaited<ReturnType<typeof serveFunctionUrl>>;
let register: (event: object) => Promise<void>;
let answers: Readonly<Record<string, string>>[] = [];
const cloudFormation = createServer(async (request, response) => {
  answers.push((await json(request)) as Record<string, string>);
  response.end();
});

const { account, url: cloudFormationUrl } = imitateAws();

/** Who calls the function URL. */
let callerRole = '';
/** What Lambda answers in place of the service, while a permission has not arrived everywhere. */
let forbidden = 0;

beforeAll(async () => {
  service = await startSources();
  manage = manageClient(() => service);
  secrets = await imitateSecrets();
  const { handler } = await import('../../functions/manage.ts');
  const context = { awsRequestId: 'test', getRemainingTimeInMillis: () => 29_000 } as Context;
  served = await serveFunctionUrl({
    accessKey: service.accessKey,
    userArn: 'replaced',
    port: 0,
    invoke: async (event) => {
      if (forbidden > 0) {
        forbidden -= 1;
        return { kind: 'result', json: JSON.stringify({ statusCode: 403, body: '{"Message":"Forbidden"}' }) };
      }
      const requestContext = event.requestContext as object as { authorizer: { iam: { userArn: string } } };
      requestContext.authorizer.iam.userArn = `${callerRole}/register-application`;
      return { kind: 'result', json: JSON.stringify(await handler(event as never, context)) };
    },
  });
  await new Promise<void>((resolve) => cloudFormation.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormationUrl(),
    AWS_ACCESS_KEY_ID: service.accessKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: service.accessKey.secretAccessKey,
    AWS_ENDPOINT_URL_SECRETSMANAGER: secrets.url,
  });
  ({ handler: register } = (await import(
    '../../lib/access-application/functions/register-application.ts'
  )) as unknown as { handler: typeof register });
});
afterAll(async () => {
  secrets.close();
  cloudFormation.close();
  await served.close();
  await service.stop();
});

let next = 0;
let appId = '';
beforeEach(() => {
  appId = appIds[next++] ?? '';
  callerRole = roleOf(appId);
  answers = [];
  Object.assign(account, { outputs: {}, status: 'CREATE_IN_PROGRESS' });
  secrets.failing.clear();
  secrets.versions.clear();
  secrets.versions.set('first', { text: '{"pending":"x"}', stages: new Set(['AWSCURRENT']) });
});

const typeOf = {
  application: 'Custom::AccessApplication',
  role: 'Custom::AccessApplicationRole',
  key: 'Custom::AccessApplicationKey',
};

function request(
  type: keyof typeof typeOf,
  kind: RegistrationRequest['RequestType'],
  given: Partial<RegistrationProperties> = {},
  others: Partial<RegistrationRequest> = {},
): RegistrationRequest {
  return {
    RequestType: kind,
    ResourceType: typeOf[type],
    ResponseURL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/answer`,
    StackId: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Billing/1a2b',
    RequestId: randomUUID(),
    LogicalResourceId: type,
    ...(kind === 'Create' ? {} : { PhysicalResourceId: physicalIdOf(type) }),
    ResourceProperties: {
      ManageUrl: served.url,
      AppId: appId,
      Force: 'false',
      ...(type === 'application' && { Settings: '{"name":"Billing"}' }),
      ...(type === 'role' && { Role: 'editor' }),
      ...(type === 'key' && keyProperties()),
      ...given,
    },
    ...others,
  };
}

const keyProperties = () => ({
  Url: `${service.url}/`,
  Label: 'BillingKey',
  Scopes: 'access:read,access:write',
  SecretId: 'arn:secret',
});

function physicalIdOf(type: keyof typeof typeOf): string {
  return { application: appId, role: `${appId}/editor`, key: `${appId}/key` }[type];
}

/** Sends a request; returns the reason if it fails. */
async function send(one: RegistrationRequest): Promise<string> {
  await register(one);
  const { Status, Reason = '', ...ids } = answers.at(-1) ?? {};
  expect([Status, ids.RequestId]).toEqual([Reason === '' ? 'SUCCESS' : 'FAILED', one.RequestId]);
  return Reason;
}

const physicalId = () => answers.at(-1)?.PhysicalResourceId;
const read = async (path: string) => (await manage('iam', 'GET', path)).body as Record<string, unknown>;
const application = () => read(`/applications/${appId}`);

async function keys(): Promise<readonly KeyView[]> {
  const { items } = await read(`/applications/${appId}/keys`);
  return items as readonly KeyView[];
}
const valid = async () => (await keys()).filter(({ revokedAt }) => revokedAt === null).map(({ keyId }) => keyId);

/** Registers an application with a role and a key. */
async function registered(): Promise<void> {
  for (const type of ['application', 'role', 'key'] as const) expect(await send(request(type, 'Create'))).toBe('');
}

describe('a stack with an application', () => {
  test('registers it with its role, and its key signs the first request', async () => {
    await registered();
    expect(await application()).toMatchObject({ appId, name: 'Billing', rolloutPercent: 100 });
    const { keyId = '', secret = '', url } = secrets.valueAt('AWSCURRENT') ?? {};
    expect(url).toBe(`${service.url}/`);
    expect(await keys()).toMatchObject([{ keyId, label: 'BillingKey', scopes: ['access:read', 'access:write'] }]);
    const userId = await newUser();
    await grantRole(userId, appId, 'editor');
    const { status, body } = await service.request(['GET', `/api/service/users/${userId}/access`], {
      key: { keyId, secret },
    });
    expect([status, body.effectiveStatus]).toEqual([200, 'enabled']);
  });

  test('answers CloudFormation with ids, and with nothing secret', async () => {
    await registered();
    expect(answers.map(({ PhysicalResourceId }) => PhysicalResourceId)).toEqual([
      appId,
      `${appId}/editor`,
      `${appId}/key`,
    ]);
    for (const answer of answers) {
      expect(Object.keys(answer).sort()).toEqual([
        'LogicalResourceId',
        'PhysicalResourceId',
        'RequestId',
        'StackId',
        'Status',
      ]);
    }
  });

  test.each(['application', 'role', 'key'] as const)(
    'a repeated request to create the %s changes nothing',
    async (type) => {
      await registered();
      const again = request(type, 'Create');
      expect(await send(again)).toBe('');
      const before = [await application(), await keys(), secrets.valueAt('AWSCURRENT')];
      expect(await send(again)).toBe('');
      expect([await application(), await keys(), secrets.valueAt('AWSCURRENT')]).toEqual(before);
      expect(await valid()).toHaveLength(1);
    },
  );

  test('an update that comes again, late, undoes no later one', async () => {
    await registered();
    const first = request('application', 'Update', { Settings: '{"name":"One"}' });
    await send(first);
    await send(request('application', 'Update', { Settings: '{"name":"Two","requestsPerSecond":7}' }));
    expect(await send(first)).toBe('');
    expect(await application()).toMatchObject({ name: 'Two', requestsPerSecond: 7 });
  });

  test('a creation that comes again, late, undoes no later update', async () => {
    const first = request('application', 'Create', { Settings: '{"name":"Zero"}' });
    await send(first);
    const created = request('application', 'Create', { Settings: '{"name":"One","requestsPerSecond":5}' });
    await send(created);
    expect(await application()).toMatchObject({ name: 'One', requestsPerSecond: 5 });
    await send(request('application', 'Update', { Settings: '{"name":"Two","requestsPerSecond":7}' }));
    expect(await send(created)).toBe('');
    expect(await application()).toMatchObject({ name: 'Two', requestsPerSecond: 7 });
    expect(await send(first)).toBe('');
    expect(await application()).toMatchObject({ name: 'Two', requestsPerSecond: 7 });
  });

  test('takes over an application that its role may register and that exists already', async () => {
    await newApplication(['viewer'], appId);
    expect(await send(request('application', 'Create', { Settings: '{"name":"Ours","rolloutPercent":5}' }))).toBe('');
    expect(await application()).toMatchObject({ name: 'Ours', rolloutPercent: 5 });
    const demanding = { name: 'Ours', rolloutPercent: 10, requireReason: 'operators' };
    for (const rolloutPercent of [10, 20]) {
      await send(request('application', 'Update', { Settings: JSON.stringify({ ...demanding, rolloutPercent }) }));
    }
    const { body } = await manage('iam', 'GET', `/applications/${appId}/changes`);
    expect(body.items[0]).toMatchObject({ after: { rolloutPercent: 20 }, reason: 'Deployment of the stack Billing' });
  });

  test('changes only the settings that it names', async () => {
    await registered();
    await manage('iam', 'PATCH', `/applications/${appId}`, { body: { rolloutPercent: 40 } });
    await send(request('application', 'Update', { Settings: '{"name":"Billing 2"}' }));
    expect(await application()).toMatchObject({ name: 'Billing 2', rolloutPercent: 40 });
  });

  test.each(['application', 'role', 'key'] as const)('cannot change its id: the %s', async (type) => {
    const { ResourceProperties } = request(type, 'Update');
    const moved = { ...ResourceProperties, AppId: 'another' };
    const refused = await send(request(type, 'Update', moved, { OldResourceProperties: ResourceProperties }));
    expect(refused).toContain(`cannot change its appId from ${appId} to another`);
    expect(physicalId()).toBe(physicalIdOf(type));
  });

  test.each(['ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS'])(
    'stays registered when its deployment fails, because its id could never be used again: %s',
    async (status) => {
      await registered();
      account.status = status;
      for (const type of ['key', 'role', 'application'] as const) expect(await send(request(type, 'Delete'))).toBe('');
      expect([await application(), await valid()]).toMatchObject([{ appId }, [secrets.valueAt('AWSCURRENT')?.keyId]]);
      account.status = 'DELETE_IN_PROGRESS';
      expect(await send(request('application', 'Delete'))).toBe('');
      expect(await application()).toMatchObject({ code: 'application_not_found' });
    },
  );
});

describe('an application that leaves its stack', () => {
  const leave = async () => {
    const reasons: string[] = [];
    for (const type of ['key', 'role', 'application'] as const) reasons.push(await send(request(type, 'Delete')));
    return reasons;
  };

  test('is deleted with its role and its keys, and a second request finds nothing left to do', async () => {
    await registered();
    expect(await leave()).toEqual(['', '', '']);
    expect(await application()).toMatchObject({ code: 'application_not_found' });
    expect(await leave()).toEqual(['', '', '']);
  });

  test('stays while users hold its role, and the reason says so', async () => {
    await registered();
    await grantRole(await newUser(), appId, 'editor');
    const [, role, whole] = await leave();
    expect(await valid()).toEqual([secrets.valueAt('AWSCURRENT')?.keyId]);
    expect(role).toMatch(/^DELETE \/applications\/team-\d+\/roles\/editor: Users hold this role.*deleteInUse: true/);
    expect(whole).toMatch(/^DELETE \/applications\/team-\d+: /);
    expect(await application()).toMatchObject({ appId });
  });

  test('stays while a user is blocked', async () => {
    await registered();
    await setStatus(await newUser(), appId, 'disabled');
    expect((await leave())[2]).toMatch(/^DELETE \/applications\/team-\d+: /);
    expect(await send(request('application', 'Delete', { Force: 'true' }))).toBe('');
    expect(await application()).toMatchObject({ code: 'application_not_found' });
  });

  test('is never registered again, and the reason says so', async () => {
    await registered();
    await leave();
    expect(await send(request('application', 'Create'))).toBe(
      `The application ${appId} was deleted, and its id is never used again: choose another appId`,
    );
    expect(physicalId()).toBe('never-created');
  });

  test('a creation that was refused is not deleted, because nothing of it is there', async () => {
    await newApplication([], appId);
    await send(request('application', 'Delete', {}, { PhysicalResourceId: 'never-created' }));
    expect(await application()).toMatchObject({ appId });
  });
});

test.each([
  ['that may register another application', () => roleOf(appIds[39] ?? '')],
  [
    'that nobody has allowed, although without iamRoles it is an admin',
    () => 'arn:aws:sts::111122223333:assumed-role/Nobody',
  ],
])('a role %s registers nothing', async (_, role) => {
  await newApplication([], appId);
  callerRole = role();
  for (const type of ['application', 'role', 'key'] as const) {
    expect(await send(request(type, 'Create'))).toMatch(
      /^The service has not allowed arn:\S+ to register team-\d+ and nothing else/,
    );
  }
  expect([await application(), await valid()]).toMatchObject([{ name: `Application ${appId}` }, []]);
});

test('a permission that has not arrived everywhere is waited for', async () => {
  forbidden = 2;
  expect(await send(request('application', 'Create'))).toBe('');
  expect(forbidden).toBe(0);
});

describe('the key', () => {
  test('of other scopes is another one, and the one before stays valid until the next rotation', async () => {
    await registered();
    const before = secrets.valueAt('AWSCURRENT')?.keyId;
    await send(request('key', 'Update', { Scopes: 'access:read' }));
    const after = secrets.valueAt('AWSCURRENT')?.keyId;
    expect(after).not.toBe(before);
    expect((await valid()).sort()).toEqual([before, after].sort());
    // A rollback.
    await send(request('key', 'Update'));
    expect(secrets.valueAt('AWSCURRENT')?.keyId).toBe(before);
    expect((await valid()).sort()).toEqual([before, after].sort());
  });

  test('that was revoked is replaced by the next deployment', async () => {
    await registered();
    const { keyId = '' } = secrets.valueAt('AWSCURRENT') ?? {};
    await manage('iam', 'DELETE', `/applications/${appId}/keys/${keyId}`);
    await send(request('key', 'Update'));
    expect(await valid()).toEqual([secrets.valueAt('AWSCURRENT')?.keyId]);
  });

  test('whose secret cannot be stored is the same in a repeat', async () => {
    await send(request('application', 'Create'));
    const first = request('key', 'Create');
    secrets.failing.add('PutSecretValue');
    expect(await send(first)).toMatch(/^secretsmanager answered 400/);
    const [issued] = await valid();
    secrets.failing.clear();
    expect(await send(first)).toBe('');
    expect([await valid(), secrets.valueAt('AWSCURRENT')?.keyId]).toEqual([[issued], issued]);
  });

  test('makes room for itself among the ten that an application may have', async () => {
    await registered();
    for (let n = 0; n < 11; n++) {
      const scopes = n % 2 === 0 ? 'access:read' : 'roles:write';
      const url = `https://${n}.example.com/`;
      expect(await send(request('key', 'Update', { Scopes: scopes, Url: url }))).toBe('');
    }
    expect(await valid()).toContain(secrets.valueAt('AWSCURRENT')?.keyId);
  });

  test('of a service at another address is another one', async () => {
    await registered();
    await send(request('key', 'Update', { Url: 'https://auth.example.com/' }));
    expect(secrets.valueAt('AWSCURRENT')?.url).toBe('https://auth.example.com/');
  });

  test('leaves keys alone that others have issued', async () => {
    await registered();
    const other = await service.issueKey(appId, ['access:read']);
    await send(request('key', 'Update', { Scopes: 'access:read' }));
    process.env.KEY_PROPERTIES = JSON.stringify(request('key', 'Update').ResourceProperties);
    for (const token of [randomUUID(), randomUUID()]) {
      for (const Step of ['createSecret', 'finishSecret']) {
        await register({ Step, SecretId: 'arn:secret', ClientRequestToken: token });
      }
    }
    const own = [secrets.valueAt('AWSCURRENT')?.keyId, secrets.valueAt('AWSPREVIOUS')?.keyId];
    expect((await valid()).sort()).toEqual([other.keyId, ...own].sort());
  });
});

describe('a rotation', () => {
  const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
  const step = (Step: string, ClientRequestToken: string, SecretId = 'arn:secret') =>
    register({ Step, SecretId, ClientRequestToken });

  async function rotate(token: string = randomUUID()): Promise<string> {
    process.env.KEY_PROPERTIES = JSON.stringify({ ...request('key', 'Update').ResourceProperties });
    for (const each of steps) await step(each, token);
    return secrets.valueAt('AWSCURRENT')?.keyId ?? '';
  }

  test('replaces the key; the one before stays valid until the next rotation', async () => {
    await registered();
    const first = secrets.valueAt('AWSCURRENT')?.keyId ?? '';
    const second = await rotate();
    expect((await valid()).sort()).toEqual([first, second].sort());
    const third = await rotate();
    expect((await valid()).sort()).toEqual([second, third].sort());
  });

  test('may repeat every step', async () => {
    await registered();
    process.env.KEY_PROPERTIES = JSON.stringify(request('key', 'Update').ResourceProperties);
    const token = randomUUID();
    for (const each of steps) for (const _ of [1, 2]) await step(each, token);
    expect(await valid()).toHaveLength(2);
    expect(secrets.versions.get(token)?.stages).toContain('AWSCURRENT');
  });

  test.each(['PutSecretValue', 'UpdateSecretVersionStage', 'DescribeSecret'])(
    'that fails at %s ends no key in use',
    async (operation) => {
      await registered();
      const current = secrets.valueAt('AWSCURRENT')?.keyId;
      secrets.failing.add(operation);
      await expect(rotate()).rejects.toThrow(/^secretsmanager answered 400/);
      expect(secrets.valueAt('AWSCURRENT')?.keyId).toBe(current);
      expect(await valid()).toContain(current);
      secrets.failing.clear();
      const next = await rotate();
      expect(await valid()).toEqual(expect.arrayContaining([current, next]));
    },
  );

  test('that has begun ends when a deployment issues another key', async () => {
    await registered();
    process.env.KEY_PROPERTIES = JSON.stringify(request('key', 'Update').ResourceProperties);
    const token = randomUUID();
    await step('createSecret', token);
    await send(request('key', 'Update', { Scopes: 'access:read' }));
    const deployed = secrets.valueAt('AWSCURRENT')?.keyId;
    await expect(step('finishSecret', token)).rejects.toThrow('A deployment has replaced the key');
    expect(secrets.valueAt('AWSCURRENT')?.keyId).toBe(deployed);
  });

  test('is tested without a new key when its schedule is set', async () => {
    await registered();
    process.env.KEY_PROPERTIES = JSON.stringify(request('key', 'Update').ResourceProperties);
    await step('testSecret', randomUUID());
  });

  test('does not go on with a key that the service refuses', async () => {
    await registered();
    process.env.KEY_PROPERTIES = JSON.stringify(request('key', 'Update').ResourceProperties);
    const token = randomUUID();
    await step('createSecret', token);
    const { keyId = '' } = secrets.valueAt('AWSPENDING') ?? {};
    await manage('iam', 'DELETE', `/applications/${appId}/keys/${keyId}`);
    await expect(step('testSecret', token)).rejects.toThrow('The service answered 401');
  });

  test('of another secret is refused', async () => {
    await registered();
    process.env.KEY_PROPERTIES = JSON.stringify(request('key', 'Update').ResourceProperties);
    await expect(step('createSecret', randomUUID(), 'arn:other')).rejects.toThrow('does not rotate arn:other');
  });
});
