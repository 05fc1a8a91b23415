import { describe, expect, test } from '@jest/globals';
import { alterItem, removeItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEveryWrite } from '../support/every-write.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { newRole } from '../support/new-role.ts';
import { newUser } from '../support/new-user.ts';
import { changeOf, readHistory, writtenBy } from '../support/read-history.ts';
import { send } from '../support/send-request.ts';
import { requiredComponents, signByHand } from '../support/sign-by-hand.ts';
import { fromNow } from '../support/timestamps.ts';
import { anAccess, aTimestamp, recorded } from '../support/view-shapes.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();

const target = (userId: string) => `/api/service/users/${userId}/revoke`;
const revoke = (userId: string, body: object | string | undefined, query = '') =>
  service.request(['DELETE', target(userId) + query], { body });
const assign = (userId: string, role = 'editor', expiresAt: string | null = null) =>
  service.request(['POST', `/api/service/roles/${userId}/assign`], { body: { role, expiresAt } });
const memberKeys = async (userId: string) =>
  [...(await service.items()).keys()].filter((key) => /#ROLE#/.test(key) && key.endsWith(` USER#${userId}`)).sort();

/** Creates a user with the role editor, at version 1. */
async function editor(): Promise<string> {
  const user = await newUser();
  await assign(user);
  return user;
}

describeEveryWrite(() => service, {
  method: 'DELETE',
  target,
  body: { role: 'editor' },
  scope: 'roles:write',
  prepare: (userId) => assign(userId),
});

describe('200', () => {
  test('revoking a role returns the whole access without it, and a read returns the same', async () => {
    const user = await editor();
    await assign(user, 'viewer');
    const { body } = await revoke(user, { role: 'editor' });
    const { changed, changeId, ...access } = body;
    expect({ changed, changeId }).toEqual(recorded);
    expect(access).toEqual(
      anAccess({
        userId: user,
        appId: 'billing',
        roles: [{ name: 'viewer', expiresAt: null }],
        version: 3,
        updatedAt: aTimestamp,
      }),
    );
    expect((await service.request(['GET', `/api/service/users/${user}/access`])).body).toEqual(access);
  });

  test.each([
    ['the body', { role: 'editor' }, ''],
    ['the query', undefined, '?role=editor'],
    ['the query in another encoding', undefined, '?role=%65ditor'],
    ['the query, with an empty body', '', '?role=editor'],
    ['both', { role: 'editor' }, '?role=editor'],
  ])('reads the role to revoke from %s', async (_, body, query) => {
    const { status, body: access } = await revoke(await editor(), body, query);
    expect([status, access.changed, access.roles]).toEqual([200, true, []]);
  });

  test('removes the user only from the members of the revoked role', async () => {
    const user = await editor();
    await assign(user, 'viewer');
    expect(await memberKeys(user)).toEqual([
      `APP#billing#ROLE#editor USER#${user}`,
      `APP#billing#ROLE#viewer USER#${user}`,
    ]);
    await revoke(user, { role: 'editor' });
    expect(await memberKeys(user)).toEqual([`APP#billing#ROLE#viewer USER#${user}`]);
  });

  test.each([
    ['is not held', 'viewer'],
    ['was never defined', 'nothing'],
    ['differs from the held one only in case', 'Editor'],
    ['is named like an inherited property', 'constructor'],
  ])('changes and records nothing if the role to revoke %s', async (_, role) => {
    const user = await editor();
    const act = async () => {
      const { status, body } = await revoke(user, { role });
      expect([status, body.changed, body.version]).toEqual([200, false, 1]);
      expect(body.roles).toEqual([{ name: 'editor', expiresAt: null }]);
    };
    expect(await writtenBy(service, act)).toEqual(['NONCE#*']);
  });

  test('changes and records nothing if the grant to revoke has expired', async () => {
    const user = await editor();
    const grant = ['roles', 'editor', 'expiresAt'];
    await alterItem(service, [`USER#${user}`, 'ACCESS#billing'], grant, fromNow(-1));
    expect((await revoke(user, { role: 'editor' })).body).toMatchObject({ changed: false, roles: [], version: 1 });
    expect(await readHistory(service, user)).toHaveLength(1);
  });

  test('revokes a role that is no longer defined', async () => {
    const [user, role] = [await newUser(), await newRole('gone')];
    await assign(user, role);
    await removeItem(service, ['APP#billing', `ROLE#${role}`]);
    expect((await revoke(user, { role })).body).toMatchObject({ changed: true, roles: [] });
  });

  test("revokes a role only in the key's application", async () => {
    const user = await editor();
    const key = service.wikiKey;
    await service.request(['POST', `/api/service/roles/${user}/assign`], { body: { role: 'editor' }, key });
    await revoke(user, { role: 'editor' });
    const { body } = await service.request(['GET', `/api/service/users/${user}/access`], { key });
    expect(body).toMatchObject({ appId: 'wiki', roles: [{ name: 'editor' }], version: 1 });
  });

  test('revoking does not change the status, and the role can be assigned again', async () => {
    const user = await editor();
    const setting = { status: 'disabled', reason: 'unpaid' };
    await service.request(['PUT', `/api/service/users/${user}/access`], { body: setting });
    expect((await revoke(user, { role: 'editor' })).body).toMatchObject({ ...setting, explicit: true, version: 3 });
    expect((await assign(user)).body).toMatchObject({ changed: true, roles: [{ name: 'editor' }], version: 4 });
  });

  test('records who revoked which role and in which request', async () => {
    const user = await newUser();
    const expiresAt = fromNow(86_400_000);
    await assign(user, 'editor', expiresAt);
    const answer = await revoke(user, { role: 'editor' });
    const change = {
      action: 'role.revoked',
      role: 'editor',
      before: { granted: true, expiresAt, version: 1 },
      after: { granted: false, expiresAt: null, version: 2 },
    };
    expect(await readHistory(service, user)).toEqual([
      expect.objectContaining({ action: 'role.assigned' }),
      changeOf(answer, service.billingKey, change),
    ]);
  });
});

describe('400', () => {
  writeNothing(() => service);

  test.each(['', '1a', '_a', 'a b', 'ä', '__proto__', 'r'.repeat(65)])(
    'refuses to revoke the role "%s" and names its source, body or query',
    async (role) => {
      expectInvalid(await revoke('ada', { role }), '#/role');
      expectInvalid(await revoke('ada', undefined, `?role=${encodeURIComponent(role)}`), 'query:role');
    },
  );

  test.each([{}, { role: null }, { role: 1 }, { role: ['editor'] }])(
    'refuses to revoke a role with the body %j',
    async (body) => {
      expectInvalid(await revoke('ada', body), '#/role');
    },
  );

  test('refuses to revoke a role with an unknown member', async () => {
    expectInvalid(await revoke('ada', { role: 'editor', because: 'left' }), '#/because');
  });

  test.each([
    ['a role in neither body nor query', undefined, '', '#'],
    ['a query that is only a question mark', undefined, '?', '#'],
    ['a query without a value', undefined, '?role', 'query:role'],
    ['two roles in the query', undefined, '?role=editor&role=viewer', 'query:role'],
    ['the same role twice in the query', undefined, '?role=editor&role=editor', 'query:role'],
    ['another role in the query than in the body', { role: 'viewer' }, '?role=editor', 'query:role'],
    ['another case in the query than in the body', { role: 'Editor' }, '?role=editor', 'query:role'],
    ['a role in the query, with a body without one', {}, '?role=editor', 'query:role'],
    ['an unknown parameter next to the role', undefined, '?role=editor&force=true', 'query:force'],
    ['an unknown parameter next to a different role', { role: 'viewer' }, '?role=editor&force=true', 'query:force'],
    ['an unknown parameter with a body', { role: 'editor' }, '?Role=editor', 'query:Role'],
    ['a parameter named like an inherited property', { role: 'editor' }, '?constructor=1', 'query:constructor'],
  ])('refuses to revoke a role with %s', async (_, body, query, pointer) => {
    expectInvalid(await revoke('ada', body, query), pointer);
  });
});

describe('401', () => {
  writeNothing(() => service);
  const request = { method: 'DELETE', target: `${target('ada')}?role=editor` };

  test('refuses to revoke a role with a query that the signature does not cover', async () => {
    const covered = requiredComponents(request).filter((name) => name !== '@query');
    const sent = signByHand(service.url, service.billingKey, { ...request, covered });
    expectProblem(await send(service.url, sent), 'component_missing');
  });

  test('refuses to revoke a role other than the signed one', async () => {
    const sent = signByHand(service.url, service.billingKey, { ...request, claimed: { '@query': '?role=viewer' } });
    expectProblem(await send(service.url, sent), 'signature_mismatch', { signatureBase: sent.sentBase });
  });
});
