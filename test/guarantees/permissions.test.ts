import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allowsItem, statementsOf } from '../stack/role-permissions.ts';
import { type Template, templateIn } from '../stack/synthesized-stack.ts';
import { alterItem } from '../support/alter-item.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { fromNow } from '../support/timestamps.ts';
import { type SdkRequest, type WatchedSdk, watchSdk } from '../support/watch-sdk.ts';

let service: TestService;
let sdk: WatchedSdk;
let template: Template;
beforeAll(async () => {
  template = templateIn(process.env.TEST_ASSEMBLY ?? '');
  service = await startSources();
  const { dynamoDb } = await import('#shared/table/client.ts');
  sdk = watchSdk(dynamoDb);
});
afterAll(() => service.stop());

interface Touch {
  readonly action: string;
  readonly pk: string;
  readonly attributes: readonly string[];
}

/** The items that a request reads or writes, with action and attributes, which IAM checks. */
function touches({ command, input }: SdkRequest): Touch[] {
  switch (command) {
    case 'BatchGetItemCommand':
      return Object.values<{ Keys: Keyed[] }>(input.RequestItems).flatMap(({ Keys }) =>
        Keys.map((key) => touch('BatchGetItem', key, input)),
      );
    case 'TransactWriteItemsCommand':
      return input.TransactItems.flatMap((entry: object) =>
        Object.entries(entry).map(([kind, part]) => ofEntry(kind, part)),
      );
    case 'PutItemCommand':
      return [ofEntry('Put', input)];
    case 'UpdateItemCommand':
      return [ofEntry('Update', input)];
    case 'QueryCommand':
      return [touch('Query', { pk: input.ExpressionAttributeValues[':pk'] }, {})];
    default:
      throw new Error(`No permission is known for ${command}`);
  }
}

type Keyed = { pk: { S: string } };

function ofEntry(
  kind: string,
  part: { Key?: Keyed; Item?: Keyed; ExpressionAttributeNames?: Record<string, string> },
): Touch {
  const action = kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`;
  return touch(action, part.Key ?? part.Item, part);
}

function touch(
  action: string,
  key: Keyed | undefined,
  { ExpressionAttributeNames = {}, Item = {} }: { ExpressionAttributeNames?: Record<string, string>; Item?: object },
): Touch {
  const attributes = ['pk', 'sk', ...Object.values(ExpressionAttributeNames), ...Object.keys(Item)];
  return { action: `dynamodb:${action}`, pk: key?.pk.S ?? '', attributes };
}

describe('the role of a function allows everything that its code does', () => {
  const soon = () => fromNow(60_000);
  const manyIds = Array.from({ length: 100 }, (_, n) => `user-${n}`);
  const scenarios = {
    'get-access': [['GET', '/api/service/users/ada/access', undefined, 200]],
    'set-access': [
      ['PUT', '/api/service/users/ada/access', () => ({ status: 'disabled', reason: 'left', until: soon() }), 200],
      ['PUT', '/api/service/users/ada/access', () => ({ status: 'enabled' }), 200],
      ['PUT', '/api/service/users/ada/access', () => ({ status: 'enabled' }), 200],
      ['PUT', '/api/service/users/nobody/access', () => ({ status: 'enabled' }), 404],
    ],
    'assign-role': [
      ['POST', '/api/service/roles/ada/assign', () => ({ role: 'viewer' }), 200],
      ['POST', '/api/service/roles/ada/assign', () => ({ role: 'nothing' }), 404],
    ],
    'revoke-role': [
      ['DELETE', '/api/service/users/ada/revoke', () => ({ role: 'viewer' }), 200],
      ['DELETE', '/api/service/users/ada/revoke', () => ({ role: 'viewer' }), 200],
    ],
    'check-access': [
      ['POST', '/api/service/access/check', () => ({ userIds: ['ada', 'nobody'] }), 200],
      ['POST', '/api/service/access/check', () => ({ userIds: manyIds }), 200],
    ],
    'get-snapshot': [
      ['GET', '/api/service/access', undefined, 200],
      ['GET', '/api/service/access?limit=1', undefined, 200],
    ],
    'list-changes': [
      ['GET', '/api/service/changes', undefined, 200],
      ['GET', '/api/service/changes?limit=1', undefined, 200],
    ],
  } as const;

  test.each(Object.entries(scenarios))(
    'the role of the function %s allows all requests to the table that it sends',
    async (name, requests) => {
      const statements = statementsOf(template, name);
      const key = await service.issueKey('billing', ['access:read', 'access:write', 'roles:write']);
      sdk.requests.length = 0;
      for (const [method, target, body, status] of requests) {
        expect((await service.request([method, target], { key, body: body?.() })).status).toBe(status);
      }
      const touched = sdk.requests.flatMap(touches);
      expect(touched.length).toBeGreaterThan(3);
      expect(touched.filter(({ action, ...item }) => !allowsItem(statements, action, item))).toEqual([]);
    },
  );

  test('the role of assign-role allows it to delete the memberships of grants that ended', async () => {
    const statements = statementsOf(template, 'assign-role');
    const assign = (body: object) => service.request(['POST', '/api/service/roles/grace/assign'], { body });
    expect((await assign({ role: 'editor', expiresAt: fromNow(60_000) })).status).toBe(200);
    await alterItem(service, ['USER#grace', 'ACCESS#billing'], ['roles', 'editor', 'expiresAt'], fromNow(-1));
    sdk.requests.length = 0;
    expect((await assign({ role: 'viewer' })).status).toBe(200);
    const touched = sdk.requests.flatMap(touches);
    expect(touched.map(({ action }) => action)).toContain('dynamodb:DeleteItem');
    expect(touched.filter(({ action, ...item }) => !allowsItem(statements, action, item))).toEqual([]);
  });
});
