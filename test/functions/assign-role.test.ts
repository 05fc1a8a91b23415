import { describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { eventually } from '../support/eventually.ts';
import { describeEveryWrite } from '../support/every-write.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { newRole } from '../support/new-role.ts';
import { newUser } from '../support/new-user.ts';
import { changeOf, readHistory, writtenBy } from '../support/read-history.ts';
import { fromNow, yearsFromNow } from '../support/timestamps.ts';
import { anAccess, aTimestamp, recorded, unrecorded } from '../support/view-shapes.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();

const target = (userId: string) => `/api/service/roles/${userId}/assign`;
const assign = (userId: string, body: object) => service.request(['POST', target(userId)], { body });
const get = (userId: string) => service.request(['GET', `/api/service/users/${userId}/access`]);
const memberOf = async (role: string, userId: string) =>
  (await service.items()).get(`APP#billing#ROLE#${role} USER#${userId}`);

describeEveryWrite(() => service, { method: 'POST', target, body: { role: 'editor' }, scope: 'roles:write' });

describe('200', () => {
  const tomorrow = fromNow(86_400_000);

  test('assigning a role returns the whole access, and a read returns the same', async () => {
    const user = await newUser();
    const { body } = await assign(user, { role: 'editor', expiresAt: tomorrow });
    const { changed, changeId, ...access } = body;
    expect({ changed, changeId }).toEqual(recorded);
    expect(access).toEqual(
      anAccess({
        userId: user,
        appId: 'billing',
        roles: [{ name: 'editor', expiresAt: tomorrow }],
        version: 1,
        updatedAt: aTimestamp,
      }),
    );
    expect((await get(user)).body).toEqual(access);
  });

  test('assigning adds to the held roles, and lists them by name', async () => {
    const user = await newUser();
    await assign(user, { role: 'viewer', expiresAt: tomorrow });
    const { body } = await assign(user, { role: 'editor' });
    expect(body).toMatchObject({
      changed: true,
      version: 2,
      roles: [
        { name: 'editor', expiresAt: null },
        { name: 'viewer', expiresAt: tomorrow },
      ],
    });
  });

  test.each([{ role: 'editor' }, { role: 'editor', expiresAt: null }, { role: 'editor', expiresAt: tomorrow }])(
    'changes and records nothing if the grant %j is already held',
    async (grant) => {
      const user = await newUser();
      const { body: first } = await assign(user, grant);
      expect(await writtenBy(service, () => assign(user, grant))).toEqual(['NONCE#*']);
      expect((await assign(user, grant)).body).toEqual({ ...first, ...unrecorded });
      expect(await readHistory(service, user)).toHaveLength(1);
    },
  );

  test.each([
    ['an earlier expiry', tomorrow, fromNow(3_600_000)],
    ['an expiry where there was none', null, tomorrow],
    ['no expiry where there was one', tomorrow, null],
  ])('assigns a held role again with %s', async (_, first, second) => {
    const user = await newUser();
    await assign(user, { role: 'editor', expiresAt: first });
    const { body } = await assign(user, { role: 'editor', expiresAt: second });
    expect(body).toMatchObject({ changed: true, version: 2, roles: [{ name: 'editor', expiresAt: second }] });
    expect((await memberOf('editor', user))?.expiresAt).toBe(second);
  });

  test('stores the expiry of a grant in UTC, so that the same time with another offset is not a change', async () => {
    const user = await newUser();
    const year = new Date().getUTCFullYear() + 1;
    const { body } = await assign(user, { role: 'editor', expiresAt: `${year}-03-01T02:30:00.5+02:30` });
    expect(body.roles).toEqual([{ name: 'editor', expiresAt: `${year}-03-01T00:00:00.500Z` }]);
    const again = await assign(user, { role: 'editor', expiresAt: `${year}-02-28T19:00:00.500-05:00` });
    expect(again.body).toEqual({ ...body, ...unrecorded });
  });

  test('accepts an expiry of a grant almost five years ahead', async () => {
    const expiresAt = yearsFromNow(5, -60_000);
    const { body } = await assign(await newUser(), { role: 'editor', expiresAt });
    expect(body).toMatchObject({ changed: true, roles: [{ expiresAt }] });
  });

  test('a grant expires exactly on time, and the role can be assigned again', async () => {
    const user = await newUser();
    const expiresAt = fromNow(3000);
    const { body: given } = await assign(user, { role: 'editor', expiresAt });
    expect(given.roles).toEqual([{ name: 'editor', expiresAt }]);
    const { body } = await eventually(
      () => get(user),
      (answer) => answer.body.roles.length === 0,
    );
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect(body).toMatchObject({ roles: [], version: 1 });

    const { body: again } = await assign(user, { role: 'editor' });
    expect(again).toMatchObject({ changed: true, version: 2, roles: [{ name: 'editor', expiresAt: null }] });
    const [, change] = await readHistory(service, user);
    expect(change?.before).toEqual({ granted: false, expiresAt: null, version: 1 });
  });

  test.each([
    ['without expiry', null, {}],
    ['with an expiry', tomorrow, { ttl: Math.ceil(Date.parse(tomorrow) / 1000) }],
  ])('lists the user under an assigned role %s', async (_, expiresAt, more) => {
    const user = await newUser();
    await assign(user, { role: 'editor', expiresAt });
    const key = { pk: 'APP#billing#ROLE#editor', sk: `USER#${user}` };
    const grant = { userId: user, expiresAt, grantedAt: expect.any(String) };
    expect(await memberOf('editor', user)).toEqual({ ...key, ...grant, ...more });
  });

  test("assigns a role only in the key's application", async () => {
    const user = await newUser();
    await assign(user, { role: 'editor' });
    const asked = ['GET', `/api/service/users/${user}/access`] as const;
    const { body } = await service.request(asked, { key: service.wikiKey });
    expect(body).toMatchObject({ appId: 'wiki', roles: [], version: 0 });
  });

  test('assigning a role does not change the status', async () => {
    const user = await newUser();
    const setting = { status: 'disabled', reason: 'unpaid', until: tomorrow };
    await service.request(['PUT', `/api/service/users/${user}/access`], { body: setting });
    const { body } = await assign(user, { role: 'editor' });
    expect(body).toMatchObject({ ...setting, explicit: true, effectiveStatus: 'disabled', version: 2 });
  });

  test.each(['toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length', 'S', 'a.b:c_d-9', 'r'.repeat(64)])(
    'assigns a role named %s',
    async (name) => {
      const [user, role] = [await newUser(), await newRole(name)];
      expect(await assign(user, { role })).toMatchObject({ status: 200, body: { roles: [{ name: role }] } });
      expect((await get(user)).body.roles).toEqual([{ name: role, expiresAt: null }]);
    },
  );

  test('assigns a role named constructor', async () => {
    const user = await newUser();
    const { status } = await assign(user, { role: 'constructor' });
    expect([status, (await get(user)).body.roles]).toEqual([200, [{ name: 'constructor', expiresAt: null }]]);
  });

  test('records who assigned which role, until when and in which request', async () => {
    const user = await newUser();
    await assign(user, { role: 'editor', expiresAt: tomorrow });
    const answer = await assign(user, { role: 'editor' });
    const change = {
      action: 'role.assigned',
      role: 'editor',
      before: { granted: true, expiresAt: tomorrow, version: 1 },
      after: { granted: true, expiresAt: null, version: 2 },
    };
    expect(await readHistory(service, user)).toEqual([
      expect.objectContaining({ action: 'role.assigned' }),
      changeOf(answer, service.billingKey, change),
    ]);
  });
});

describe('400', () => {
  describe('without a write', () => {
    writeNothing(() => service, { outcomes: false });

    test.each([
      {},
      { expiresAt: null },
      ...[null, 1, '', '1a', '_a', 'a b', 'a/b', 'ä', '__proto__', 'r'.repeat(65), ['editor'], {}].map((role) => ({
        role,
      })),
    ])('refuses to assign the role %j', async (body) => {
      expectInvalid(await assign('ada', body), '#/role');
    });

    test('refuses a misspelt member instead of assigning a role without expiry', async () => {
      expectInvalid(await assign('ada', { role: 'editor', expires: fromNow(86_400_000) }), '#/expires');
    });

    test('names all invalid members of an assignment', async () => {
      const answer = await assign('ada', { role: '1', expiresAt: 'soon', expires: 1 });
      expectInvalid(answer, '#/role', '#/expiresAt', '#/expires');
    });
  });

  test('refuses the 501st role of a user, not counting expired ones', async () => {
    const user = await newUser();
    await assign(user, { role: 'editor' });
    const grants = (count: number, expiresAt: string | null) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, { grantedAt: fromNow(0), expiresAt }]));
    const roles = ['roles'] as const;
    const key = [`USER#${user}`, 'ACCESS#billing'] as const;
    await alterItem(service, key, roles, { ...grants(500, fromNow(-1)), ...grants(499, null) });
    expect((await assign(user, { role: 'editor' })).body.roles).toHaveLength(500);
    expectInvalid(await assign(user, { role: 'viewer' }), '#/role');
    expect((await assign(user, { role: 'editor', expiresAt: fromNow(60_000) })).status).toBe(200);
  });
});

describe('404', () => {
  test.each(['nothing', 'Editor', 'editor.'])('answers 404 to assigning the role %s', async (role) => {
    expectProblem(await assign('ada', { role }), 'role_not_found');
  });

  test('uses up the nonce and writes nothing else if the role does not exist', async () => {
    const act = async () => expectProblem(await assign('ada', { role: 'nothing' }), 'role_not_found');
    expect(await writtenBy(service, act)).toEqual(['NONCE#*']);
  });

  test('answers 404 to assigning a role of another application', async () => {
    const body = { role: 'viewer' };
    const answer = await service.request(['POST', target('ada')], { body, key: service.wikiKey });
    expectProblem(answer, 'role_not_found');
  });

  test('answers 404 to assigning a role that is being deleted', async () => {
    const role = await newRole('leaving');
    await alterItem(service, ['APP#billing', `ROLE#${role}`], ['deleting'], true);
    expectProblem(await assign('ada', { role }), 'role_not_found');
  });

  test('answers user_not_found when neither the user nor the role exists', async () => {
    expectProblem(await assign('nobody', { role: 'nothing' }), 'user_not_found');
  });
});
