import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import type { ChangeView } from '#shared/contract/change.ts';
import { documentationOf } from '#shared/contract/documents.ts';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { serveFunctionUrl } from '../../local/function-url.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { type EntryPoint, entryPoints, type ManageOptions, manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { optionOutcomes } from '../support/option-outcomes.ts';
import { changesOf } from '../support/read-changes.ts';
import type { Answer } from '../support/send-request.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

/** Operators by their roles: as the groups of a token, and by ARN patterns. */
const operators = {
  viewer: ['viewer'],
  support: ['support'],
  admin: ['admin'],
  'viewer of crm': ['viewer:crm'],
  'support of crm': ['support:crm'],
  'admin of crm': ['admin:crm'],
  'viewer, and support of crm': ['viewer', 'support:crm'],
  'support of crm, and admin of an invalid application': ['support:crm', 'admin:', 'admin:[crm]', 'admin:crm '],
} as const satisfies Record<string, readonly string[]>;
type OperatorName = keyof typeof operators;
const operatorNames = Object.keys(operators) as OperatorName[];

/** Several patterns can match one identity. */
const arns = operatorNames.flatMap((name, n) =>
  operators[name].map((role, m) => [`arn:aws:sts::*:assumed-role/Operator${n}${'*'.repeat(m)}`, role]),
);
process.env.OPERATOR_ROLES = JSON.stringify({
  token: { claim: 'cognito:groups' },
  arns: { ...Object.fromEntries(arns), 'arn:aws:iam::000000000000:user/local': 'admin' },
});

let service: TestService;
let sdk: WatchedSdk;
let manage: ReturnType<typeof manageClient>;
const functionUrls = new Map<OperatorName | 'unnamed', Awaited<ReturnType<typeof serveFunctionUrl>>>();

beforeAll(async () => {
  service = await startSources();
  manage = manageClient(() => service);
  sdk = await watchServiceTable();
  const { handler } = await import('../../functions/manage.ts');
  const context = { awsRequestId: 'test', getRemainingTimeInMillis: () => 29_000 } as Context;
  for (const [n, name] of operatorNames.entries()) {
    await serveAs(name, `arn:aws:sts::111122223333:assumed-role/Operator${n}/admin`);
  }
  await serveAs('unnamed', 'arn:aws:sts::111122223333:assumed-role/Unnamed/admin');

  async function serveAs(name: OperatorName | 'unnamed', userArn: string): Promise<void> {
    const served = await serveFunctionUrl({
      accessKey: service.accessKey,
      userArn,
      port: 0,
      invoke: async (event) => ({ kind: 'result', json: JSON.stringify(await handler(event, context)) }),
    });
    functionUrls.set(name, served);
  }
});
afterAll(async () => {
  for (const served of functionUrls.values()) await served.close();
  await service.stop();
});
beforeEach(() => {
  sdk.requests.length = 0;
});

/** Sends a request as this operator. */
async function as(
  name: OperatorName,
  entryPoint: EntryPoint,
  [method, path]: readonly [string, string],
  options: ManageOptions = {},
): Promise<Answer> {
  if (entryPoint === 'jwt') return withGroups(operators[name], [method, path], options);
  const manageUrl = functionUrls.get(name)?.url ?? '';
  return manageClient(() => ({ ...service, manageUrl }))('iam', method, path, options);
}

/** Sends a request with a token with these groups. */
async function withGroups(
  groups: unknown,
  [method, path]: readonly [string, string] = ['GET', '/operator'],
  options: ManageOptions = {},
): Promise<Answer> {
  const token = await service.login.mintToken({ 'cognito:groups': groups, sub: 'somebody' });
  return manage('jwt', method, path, { ...options, token });
}

const viewer = [
  'get-operator',
  'list-applications',
  'get-application',
  'list-keys',
  'list-roles',
  'get-role',
  'list-members',
  'list-application-users',
  'list-application-changes',
  'list-users',
  'get-user',
  'list-user-access',
  'list-user-changes',
  'resolve-users',
  'list-all-keys',
  'list-all-changes',
  'verify-changes',
  ...optionOutcomes.flatMap(({ allowed }) => allowed?.viewer ?? []),
];
const support = [
  ...viewer,
  'set-access-in-bulk',
  'set-user-status',
  'set-user-access',
  'assign-user-role',
  'revoke-user-role',
  'assign-role-in-bulk',
  'revoke-role-in-bulk',
  'set-user-status-in-bulk',
  'undo-change',
  ...optionOutcomes.flatMap(({ allowed }) => allowed?.support ?? []),
];
const admin = [
  ...support,
  'create-application',
  'update-application',
  'undo-application-change',
  'delete-application',
  'issue-key',
  'revoke-key',
  'rotate-key',
  'update-key',
  'define-role',
  'delete-role',
  'create-user',
  'update-user',
  'delete-user',
  ...optionOutcomes.flatMap(({ allowed }) => allowed?.admin ?? []),
];
/**
 * The operations for which a role for one application always suffices: the response is filtered, or only about users.
 */
const always = [
  'get-operator',
  'list-applications',
  'list-users',
  'get-user',
  'list-user-access',
  'list-user-changes',
  'resolve-users',
  'list-all-keys',
  'list-all-changes',
  'verify-changes',
  ...optionOutcomes.flatMap(({ always: names = [] }) => names),
];
/** The application of a change to undo is checked after reading it. */
const alwaysForSupport = [...always, 'undo-change'];
/** The operations that concern no single application and therefore require a role for all. */
const global = [
  'set-user-status',
  'create-user',
  'update-user',
  'delete-user',
  'set-user-status-in-bulk',
  ...optionOutcomes.flatMap(({ global: names = [] }) => names),
];
const inOne = (names: readonly string[]) => names.filter((name) => !global.includes(name));

/** The operations that each operator may perform, by the application in the path, if any. */
const allowed: Record<OperatorName, { readonly crm: readonly string[]; readonly shop: readonly string[] }> = {
  viewer: { crm: viewer, shop: viewer },
  support: { crm: support, shop: support },
  admin: { crm: admin, shop: admin },
  'viewer of crm': { crm: inOne(viewer), shop: always },
  'support of crm': { crm: inOne(support), shop: alwaysForSupport },
  'admin of crm': { crm: inOne(admin), shop: alwaysForSupport },
  'viewer, and support of crm': {
    crm: [...inOne(support), ...viewer.filter((operation) => global.includes(operation))],
    shop: [...viewer, 'undo-change'],
  },
  'support of crm, and admin of an invalid application': { crm: inOne(support), shop: alwaysForSupport },
};

/** A valid request to an operation, for applications and users that do not exist. */
function requestTo(name: ManageOperationName, appId: string): [readonly [string, string], ManageOptions] {
  const operation = manageOperations[name];
  const values: Readonly<Record<string, string>> = {
    appId,
    userId: 'nobody',
    role: 'editor',
    keyId: 'none',
    connectionId: 'none',
    bulkId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
    changeId: '0'.repeat(26),
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? 'none');
  const { body } = documentationOf(operation).example as { body?: object };
  const named = body !== undefined && 'appId' in body ? { ...body, appId } : body;
  return [[operation.method, path.slice('/api/manage'.length)], { body: named }];
}

describe.each(entryPoints)('through the entry point %s', (entryPoint) => {
  describe.each(operatorNames)('an operator who is %s', (name) => {
    test.each(['crm', 'shop'] as const)(
      'may do what the roles allow with the application %s, and is refused everything else before anything is read',
      async (appId) => {
        const done: string[] = [];
        for (const operation of Object.keys(manageOperations) as ManageOperationName[]) {
          sdk.requests.length = 0;
          const [request, options] = requestTo(operation, appId);
          const answer = await as(name, entryPoint, request, options);
          if (answer.body.code !== 'role_required') {
            expect([operation, answer.status]).not.toEqual([operation, 403]);
            done.push(operation);
            continue;
          }
          expectProblem(answer, 'role_required', { requiredRole: manageOperations[operation].role });
          expect(sdk.requests).toEqual([]);
        }
        expect(done.sort()).toEqual([...allowed[name][appId]].sort());
      },
    );

    test('can read their own roles', async () => {
      const { status, body } = await as(name, entryPoint, ['GET', '/operator']);
      const held = operators[name].map((text) => {
        const [role, appId = null] = text.split(/:(.*)/s);
        return { role, appId };
      });
      expect([status, body.roles]).toEqual([200, held]);
      expect(body.via).toBe(entryPoint === 'iam' ? 'iam' : 'token');
      expect(sdk.requests).toEqual([]);
    });
  });

  test('a refusal names the required role, where it is required, and the roles of the operator', async () => {
    const { body } = await as('viewer, and support of crm', entryPoint, ['DELETE', '/applications/shop']);
    expect(body.detail).toBe('Requires the admin role for the application shop; you have viewer, support:crm.');
    const { body: global } = await as('support of crm', entryPoint, ['PUT', '/users/ada/status'], {
      body: { status: 'inactive' },
    });
    expect(global.detail).toBe('Requires the support role for all applications; you have support:crm.');
  });

  test('checks the role before validating the request', async () => {
    const answer = await as('viewer', entryPoint, ['PUT', '/users/ada/status'], { body: { status: 'nonsense' } });
    expectProblem(answer, 'role_required', { requiredRole: 'support' });
  });

  test.each([
    ['another application', { appId: 'shop', name: 'Shop' }],
    ['no application', { name: 'CRM' }],
    ['an application that is no text', { appId: ['crm'], name: 'CRM' }],
    ['nothing', undefined],
  ])('an admin of one application creates only that one, and not one of a body with %s', async (_, body) => {
    const answer = await as('admin of crm', entryPoint, ['POST', '/applications'], { body });
    expectProblem(answer, 'role_required', { requiredRole: 'admin' });
    expect(sdk.requests).toEqual([]);
  });

  test("a change names the operator's role in its application", async () => {
    const userId = await newUser();
    await newApplication([], `crm-${entryPoint}`);
    const answer = await as('support', entryPoint, ['PUT', `/users/${userId}/status`], {
      body: { status: 'inactive' },
    });
    expect(answer.status).toBe(200);
    expect(await changesOf(service, answer)).toMatchObject([{ caller: { kind: 'operator', role: 'support' } }]);
  });
});

test('an IAM identity that matches no pattern is a viewer', async () => {
  const manageUrl = functionUrls.get('unnamed')?.url ?? '';
  const unnamed = manageClient(() => ({ ...service, manageUrl }));
  expect((await unnamed('iam', 'GET', '/operator')).body).toEqual({
    id: 'arn:aws:sts::111122223333:assumed-role/Unnamed/admin',
    via: 'iam',
    email: null,
    roles: [{ role: 'viewer', appId: null }],
    reasonRequired: false,
  });
  expectProblem(await unnamed('iam', 'POST', '/applications/billing/keys'), 'role_required', { requiredRole: 'admin' });
});

describe('a token', () => {
  const asViewer = [{ role: 'viewer', appId: null }];

  test.each([
    ['no groups', undefined],
    ['an empty list', []],
    ['null', null],
    ['groups that are not roles', ['everyone', 'Admin', 'ADMIN', 'admins', 'root']],
    ['a group that ends in admin after a space', ['x admin']],
    ['a group that begins with admin before a space', ['admin x']],
    ['groups with spaces around', [' admin', 'admin ', '\tadmin', 'admin\n']],
    ['a group in brackets', ['[admin]', '[x admin]']],
    ['groups with commas', ['x,admin', 'admin,x']],
    ['a text', 'admin'],
    ["a text in brackets, API Gateway's format for lists", '[admin]'],
    ['a text in brackets with several', '[x admin]'],
    ['a list in JSON', '["admin"]'],
    ['an object', { 0: 'admin', length: 1, admin: true }],
    ['a list in a list', [['admin']]],
    ['an object in a list', [{ name: 'admin' }]],
    ['true', true],
    ['names of prototypes', ['constructor', '__proto__', 'toString']],
  ])('with %s as groups makes a viewer', async (_, groups) => {
    expect((await withGroups(groups)).body.roles).toEqual(asViewer);
    expectProblem(await withGroups(groups, ['POST', '/applications/billing/keys']), 'role_required', {
      requiredRole: 'admin',
    });
  });

  test('with several groups has all their roles', async () => {
    const { body } = await withGroups(['everyone', 'support:billing', 'viewer', 'x admin']);
    expect(body.roles).toEqual([
      { role: 'support', appId: 'billing' },
      { role: 'viewer', appId: null },
    ]);
  });

  test('gets no role from another claim', async () => {
    const token = await service.login.mintToken({ 'cognito:groups': undefined, groups: ['admin'], roles: ['admin'] });
    expect((await manage('jwt', 'GET', '/operator', { token })).body.roles).toEqual(asViewer);
  });
});

describe('an operator limited to some applications', () => {
  const limited = ['support:billing', 'viewer:nothing', 'admin:no such one'];
  const limitedTo = ['billing', 'nothing'];

  test('undoes changes only in these, with the role there, and no changes of the user', async () => {
    const userId = await newUser();
    const [mine, other] = [await newApplication(), await newApplication()];
    const undo = (changeId: string) =>
      withGroups([`admin:${mine}`, 'viewer'], ['POST', `/users/${userId}/changes/${changeId}/undo`]);
    const { body: inactive } = await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive' } });
    const inOther = await setStatus(userId, other, 'disabled');
    const inMine = await setStatus(userId, mine, 'disabled');
    for (const changeId of [inactive.changeId, String(inOther.changeId)]) {
      expectProblem(await undo(changeId), 'role_required', { requiredRole: 'support' });
    }
    const answer = await undo(String(inMine.changeId));
    expect([answer.status, answer.body]).toMatchObject([200, { appId: mine, changed: true }]);
    expect(await changesOf(service, answer)).toMatchObject([{ caller: { role: 'admin' } }]);
  });

  test('sees only these in the list of applications, which says so', async () => {
    const { body } = await withGroups(limited, ['GET', '/applications']);
    expect(body).toMatchObject({ items: [{ appId: 'billing' }], cursor: null, limitedTo });
    expect((await withGroups(['viewer'], ['GET', '/applications'])).body).not.toHaveProperty('limitedTo');
  });

  test('reads that list page by page', async () => {
    const groups = ['viewer:wiki', 'support:billing', 'viewer:billing'];
    const first = await withGroups(groups, ['GET', '/applications?limit=1']);
    expect(first.body).toMatchObject({ items: [{ appId: 'billing' }], cursor: expect.any(String) });
    const second = await withGroups(groups, ['GET', `/applications?limit=1&cursor=${first.body.cursor}`]);
    expect(second.body).toMatchObject({ items: [{ appId: 'wiki' }], cursor: null });
    expectInvalid(await withGroups(groups, ['GET', `/users?cursor=${first.body.cursor}`]), 'query:cursor');
  });

  test("sees a user's access only in these", async () => {
    const { body } = await withGroups(limited, ['GET', '/users/ada/access']);
    expect(body).toMatchObject({ items: [{ appId: 'billing', userId: 'ada' }], cursor: null, limitedTo });
    expectProblem(await withGroups(limited, ['GET', '/users/nobody/access']), 'user_not_found');
  });

  test("sees the part of a user's history about these and about the user", async () => {
    const userId = await newUser();
    await grantRole(userId, 'billing', 'editor');
    await setStatus(userId, 'wiki', 'disabled', 'not for everybody');
    const { body } = await withGroups(limited, ['GET', `/users/${userId}/changes`]);
    const items: readonly Pick<ChangeView, 'action' | 'appId' | 'undo'>[] = body.items;
    expect(items.map(({ action, appId, undo }) => [action, appId, undo])).toEqual([
      ['role.assigned', 'billing', 'possible'],
      ['user.created', undefined, 'role_required'],
    ]);
    expect([body.limitedTo, JSON.stringify(body)]).toEqual([limitedTo, expect.not.stringContaining('wiki')]);
  });

  test('sees no application if the id does not exist', async () => {
    const { body } = await withGroups(['admin:nothing'], ['GET', '/applications']);
    expect(body).toEqual({ items: [], cursor: null, limitedTo: ['nothing'] });
  });

  test('sees all users', async () => {
    const { status, body } = await withGroups(limited, ['GET', '/users?prefix=ada']);
    expect([status, (body.items as unknown[]).length]).toEqual([200, 1]);
  });
});

test('an operator who retries with a different role gets the outcome of the first attempt', async () => {
  const userId = await newUser();
  const headers = { 'idempotency-key': '"0d5a5b5e-retry-with-another-role"' };
  const request = ['PUT', `/users/${userId}/status`] as const;
  const options = { headers, body: { status: 'inactive' } };
  expect((await withGroups(['support'], request, options)).body.changed).toBe(true);
  expect((await withGroups(['admin'], request, options)).body.changed).toBe(true);
});
