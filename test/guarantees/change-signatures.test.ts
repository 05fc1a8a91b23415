import { expect, test } from '@jest/globals';
import { changeKeys, verifyChange } from '../../client/verify-change.ts';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { manageClient } from '../support/manage-client.ts';
import { newUser } from '../support/new-user.ts';
import { startBundles } from '../support/start-service.ts';

interface FeedEntry {
  readonly id: string;
  readonly action: string;
  readonly userId?: string;
  readonly reason: string | null;
  readonly signature?: string;
}

const service = describeService(startBundles);
const manage = manageClient(() => service);

/** The changes of a user, by id: the feed may repeat those of the last seconds, and has two orders of numbers, the users' and the application's. */
async function feedOf(userId: string): Promise<FeedEntry[]> {
  const entries = new Map<string, FeedEntry>();
  for (let after = '', known = -1; entries.size > known; ) {
    known = entries.size;
    const { body } = await service.request(['GET', `/api/service/changes?limit=100${after && `&after=${after}`}`]);
    for (const entry of body.items) entries.set(entry.id, entry);
    after = body.cursor;
  }
  const own = [...entries.values()].filter((entry) => entry.userId === userId);
  return own.sort((one, other) => one.id.localeCompare(other.id));
}

/** A user with a change of every kind that the feed shows in another form than it is stored. */
async function changedUser(): Promise<string> {
  const userId = await newUser();
  await service.request(['PUT', `/api/service/users/${userId}/access`], {
    body: { status: 'disabled', reason: 'unpaid' },
  });
  const byOperator = { status: 'enabled', reason: 'paid' };
  await manage('iam', 'PUT', `/users/${userId}/access/billing`, { body: byOperator });
  await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive', reason: 'left' } });
  return userId;
}

test('an application verifies each change of its feed with the public keys, as it reads it', async () => {
  const feed = await feedOf(await changedUser());
  expect(feed.map(({ action }) => action)).toEqual(['access.changed', 'access.changed', 'user.status.changed']);
  const keys = changeKeys({ baseUrl: service.url });
  for (const entry of feed) {
    expect(await verifyChange(entry, { keys })).toBe(entry);
    await expect(verifyChange({ ...entry, reason: 'another' }, { keys })).rejects.toMatchObject({ reason: 'altered' });
  }
  const [one, two] = feed;
  const swapped = { ...one, signature: two?.signature };
  await expect(verifyChange(swapped, { keys })).rejects.toMatchObject({ reason: 'altered' });
});

test('a change that was altered in the table has no signature, and the others have theirs', async () => {
  const userId = await changedUser();
  const [first] = await feedOf(userId);
  await alterItem(service, [`USER#${userId}`, `CHANGE#${first?.id}`], ['after', 'status'], 'enabled');
  const feed = await feedOf(userId);
  expect(feed.map(({ signature }) => signature === undefined)).toEqual([true, false, false]);
  const keys = changeKeys({ baseUrl: service.url });
  await expect(verifyChange(feed[0] ?? {}, { keys })).rejects.toMatchObject({ reason: 'missing-signature' });
});

test('everyone can read the public keys without a signature, may keep them for an hour, and learns no secret', async () => {
  const response = await fetch(new URL('/api/service/change-keys', service.url));
  expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
    200,
    'application/jwk-set+json',
    'public, max-age=3600',
  ]);
  const x = expect.stringMatching(/^[\w-]{43}$/);
  expect(await response.json()).toEqual({
    keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'h1', alg: 'EdDSA', use: 'sig' }],
  });
});
