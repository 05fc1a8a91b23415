import { describe, expect, test } from '@jest/globals';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { describeService } from '../support/describe-service.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { grantRole, setStatus } from '../support/new-application.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import { writtenBy } from '../support/read-history.ts';
import { freshNonce, type RequestOptions } from '../support/send-request.ts';

const service = describeService();

const check = (userIds: unknown, options: RequestOptions = {}) =>
  service.request(['POST', '/api/service/access/check'], { body: { userIds }, ...options });
const read = async (userId: string) =>
  (await service.request(['GET', `/api/service/users/${encodeURIComponent(userId)}/access`])).body;

describe('200', () => {
  test('returns for each user the same as a single read, in request order', async () => {
    const [blocked, holder] = [await newUser(), await newUser()];
    await setStatus(blocked, 'billing', 'disabled', 'left');
    await grantRole(holder, 'billing', 'editor');
    const userIds = [holder, 'ada', ...awkwardUserIds, blocked];
    const { status, body } = await check(userIds);
    expect([status, body]).toEqual([200, { items: await Promise.all(userIds.map(read)) }]);
    expect(body.items.at(-1)).toMatchObject({ userId: blocked, effectiveStatus: 'disabled', decidedBy: 'explicit' });
    expect(body.items[0]).toMatchObject({ userId: holder, roles: [{ name: 'editor', expiresAt: null }] });
  });

  test('returns invalid and nonexistent users as unknown, and a duplicate user twice', async () => {
    const unknown = (userId: string) => ({ userId, code: 'user_not_found' });
    const { body } = await check(['nobody', 'ada', '', '..', 'a/b', 'j\u00f6rg', 'ada', 'nobody']);
    expect(body.items).toEqual([
      unknown('nobody'),
      await read('ada'),
      ...['', '..', 'a/b', 'j\u00f6rg'].map(unknown),
      await read('ada'),
      unknown('nobody'),
    ]);
  });

  test('checks a hundred users', async () => {
    const userIds = await newUsers(100);
    await setStatus(userIds[99] ?? '', 'billing', 'disabled', 'left');
    const { items } = (await check(userIds)).body;
    expect(items.map(({ userId }: { userId: string }) => userId)).toEqual(userIds);
    expect(items.map(({ effectiveStatus }: { effectiveStatus: string }) => effectiveStatus)).toEqual(
      userIds.map((_, n) => (n === 99 ? 'disabled' : 'enabled')),
    );
  });

  test('returns an erased user, and one being erased, as unknown', async () => {
    const { deleteUser } = await import('#shared/domain/user/delete-user.ts');
    const { operator } = await import('../support/start-service.ts');
    const userId = await newUser();
    await setStatus(userId, 'billing', 'disabled', 'left');
    await deleteUser({ userId: userId as never }, operator);
    expect((await check([userId])).body.items).toEqual([{ userId, code: 'user_not_found' }]);
  });

  test('a check writes nothing, and its nonce can be used again', async () => {
    const signing = { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) };
    await check(['ada']);
    expect(await writtenBy(service, () => check(['ada'], { signing }))).toEqual([]);
    expect((await check(['ada'], { signing })).status).toBe(200);
  });
});

describe('400', () => {
  test.each([
    [[], '#/userIds'],
    ['ada', '#/userIds'],
    [undefined, '#/userIds'],
    [[1], '#/userIds/0'],
    [['ada', 'x'.repeat(129)], '#/userIds/1'],
    [Array.from({ length: 101 }, (_, n) => `user-${n}`), '#/userIds'],
  ])('refuses to check %j and names the field', async (userIds, pointer) => {
    expectInvalid(await check(userIds), pointer);
  });
});

describe('401 and 403', () => {
  test('refuses to check users that the signature does not cover', async () => {
    const tamper: RequestOptions['tamper'] = (request) => ({ ...request, body: '{"userIds":["grace"]}' });
    expectProblem(await check(['ada'], { tamper }), 'digest_mismatch', { receivedBytes: 21 });
  });

  test('refuses to check with a key without access:read', async () => {
    const key = await service.issueKey('billing', ['access:write', 'roles:write']);
    expectProblem(
      await service.request(['POST', '/api/service/access/check'], { key, body: { userIds: ['ada'] } }),
      'scope_missing',
    );
  });
});
