import { beforeAll, describe, expect, test } from '@jest/globals';
import { rolloutBucket } from '#shared/contract/rollout.ts';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import type { Key } from '../support/send-request.ts';
import { fromNow } from '../support/timestamps.ts';

const service = describeService();
let appId: string;
let key: Key;
let users: string[];
const manage = manageClient(() => service);
beforeAll(async () => {
  appId = await newApplication(['editor'], 'crm');
  key = await service.issueKey(appId, ['access:read', 'access:write', 'roles:write']);
  users = await newUsers(40);
});

const rollOut = (rolloutPercent: number) =>
  manage('iam', 'PATCH', `/applications/${appId}`, { body: { rolloutPercent } });
const ask = async (userId: string) =>
  (await service.request(['GET', `/api/service/users/${userId}/access`], { key })).body;
const put = async (userId: string, body: object) =>
  (await service.request(['PUT', `/api/service/users/${userId}/access`], { key, body })).body;

/** Returns the users whom the service allows, none with an explicit status. */
async function allowedUsers(): Promise<string[]> {
  const asked = await Promise.all(users.map(ask));
  return asked.filter(({ effectiveStatus }) => effectiveStatus === 'enabled').map(({ userId }) => userId);
}

describe('a rollout', () => {
  test('allows the users whose bucket is below it, and raising it only adds users', async () => {
    let before: string[] = [];
    for (const percent of [0, 5, 25.5, 50, 99.99, 100]) {
      await rollOut(percent);
      const now = await allowedUsers();
      expect(now).toEqual(users.filter((userId) => rolloutBucket(appId, userId) < percent * 100));
      expect(now).toEqual(expect.arrayContaining(before));
      before = now;
    }
    expect(before).toEqual(users);
  });

  test('is named as the reason of the decision, allowed or not, only below 100', async () => {
    await rollOut(50);
    const raw = { status: 'enabled', explicit: false, until: null, decidedBy: 'rollout', version: 0 };
    expect(await ask(below(5000))).toMatchObject({ ...raw, effectiveStatus: 'enabled' });
    expect(await ask(from(5000))).toMatchObject({ ...raw, effectiveStatus: 'disabled' });
    await rollOut(100);
    expect(await ask(from(5000))).toMatchObject({ ...raw, effectiveStatus: 'enabled', decidedBy: 'default' });
  });

  test('at 0 on creation allows only users who are enabled explicitly', async () => {
    const body = { appId: 'closed', name: 'Closed', rolloutPercent: 0 };
    expect((await manage('jwt', 'POST', '/applications', { body })).status).toBe(201);
    const [first = '', second = ''] = users;
    const cohort = { userIds: [first], status: 'enabled' };
    const set = await manage('jwt', 'POST', '/applications/closed/access', { body: cohort });
    expect(set.body.items).toEqual([{ userId: first, outcome: 'changed' }]);
    const closedKey = await service.issueKey('closed', ['access:read']);
    const read = async (userId: string) =>
      (await service.request(['GET', `/api/service/users/${userId}/access`], { key: closedKey })).body;
    expect(await read(first)).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'explicit' });
    expect(await read(second)).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'rollout' });
  });
});

describe('what overrides a rollout', () => {
  beforeAll(() => rollOut(0));

  test('an application can enable a user whom the rollout excludes, and its response says so', async () => {
    const userId = await newUser();
    expect(await ask(userId)).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'rollout' });
    const enabled = { changed: true, explicit: true, effectiveStatus: 'enabled', decidedBy: 'explicit' };
    expect(await put(userId, { status: 'enabled' })).toMatchObject(enabled);
    expect(await ask(userId)).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'explicit' });
  });

  test('an expired block allows the user, even if the rollout would not', async () => {
    const userId = await newUser();
    await put(userId, { status: 'disabled', until: fromNow(60_000) });
    await alterItem(service, [`USER#${userId}`, `ACCESS#${appId}`], ['until'], fromNow(-1000));
    expect(await ask(userId)).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'lapsed', explicit: true });
  });

  test('an inactive user is disabled, whatever the rollout and the status are', async () => {
    const userId = await newUser();
    await setStatus(userId, appId, 'enabled');
    await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive' } });
    expect(await ask(userId)).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'user' });
  });

  test('a user with a role and no explicit status is decided by the rollout, and keeps the role', async () => {
    const userId = await newUser();
    await grantRole(userId, appId, 'editor');
    const roles = [{ name: 'editor', expiresAt: null }];
    expect(await ask(userId)).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'rollout', roles });
  });
});

test("operators see the same decision in both lists, and the percentage for each of a user's applications", async () => {
  await rollOut(0);
  const userId = await newUser();
  await grantRole(userId, appId, 'editor');
  const shutOut = { userId, appId, effectiveStatus: 'disabled', decidedBy: 'rollout' };
  const { body: ofUser } = await manage('jwt', 'GET', `/users/${userId}/access?limit=100`);
  expect(ofUser.items).toContainEqual(expect.objectContaining({ ...shutOut, rolloutPercent: 0 }));
  expect(ofUser.items).toContainEqual(expect.objectContaining({ appId: 'wiki', decidedBy: 'default' }));
  const { body: ofApp } = await manage('jwt', 'GET', `/applications/${appId}/users?limit=100`);
  expect(ofApp.items).toContainEqual(expect.objectContaining(shutOut));
});

test('a bulk check decides like single reads, even during a rollout', async () => {
  await rollOut(40);
  const { body } = await service.request(['POST', '/api/service/access/check'], { key, body: { userIds: users } });
  expect(body.items).toEqual(await Promise.all(users.map(ask)));
  const statuses = body.items.map(({ effectiveStatus }: { effectiveStatus: string }) => effectiveStatus);
  expect(new Set(statuses)).toEqual(new Set(['enabled', 'disabled']));
});

test('the snapshot and the feed contain the percentage, with the version of the application for ordering', async () => {
  const { body: lowered } = await rollOut(33.3);
  const { body: snapshot } = await service.request(['GET', '/api/service/access'], { key });
  expect(snapshot).toMatchObject({ rolloutPercent: 33.3, applicationVersion: lowered.version });
  const { body: raised } = await rollOut(44.4);
  const { body: feed } = await service.request(['GET', `/api/service/changes?after=${snapshot.changesCursor}`], {
    key,
  });
  expect(feed.items.at(-1)).toMatchObject({
    action: 'application.updated',
    before: { rolloutPercent: 33.3, version: lowered.version },
    after: { rolloutPercent: 44.4, version: raised.version },
  });
});

test('a changed rollout is in the history of the application, with both percentages', async () => {
  await rollOut(10);
  await rollOut(12.25);
  const { body } = await manage('iam', 'GET', `/applications/${appId}/changes?limit=1`);
  expect(body.items).toMatchObject([
    {
      action: 'application.updated',
      before: { name: 'Application crm', rolloutPercent: 10 },
      after: { name: 'Application crm', rolloutPercent: 12.25 },
    },
  ]);
});

/** Finds a user without settings whose bucket is below this one, or at least this one. */
const below = (bucket: number) => users.find((userId) => rolloutBucket(appId, userId) < bucket) ?? '';
const from = (bucket: number) => users.find((userId) => rolloutBucket(appId, userId) >= bucket) ?? '';
