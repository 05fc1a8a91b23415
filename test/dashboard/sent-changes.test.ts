import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createApi } from '../../dashboard/api/create-api.ts';
import { describeWrite } from '../../dashboard/api/describe-write.ts';
import { createSentChanges } from '../../dashboard/session/sent-changes.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const answer = (make: () => Response | Promise<Response>) =>
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => make());
const unauthorized = () => Response.json({}, { status: 401 });

/** The client of a session that cannot be renewed. */
function endingSession() {
  const sent = createSentChanges();
  const bearer = { token: () => 'token', renew: async () => false, expire: sent.hold };
  return { sent, api: createApi(bearer, sent) };
}

const block = {
  path: { userId: 'ada', appId: 'wiki' },
  body: { status: 'disabled', reason: 'left', until: null },
} as const;

describe('the page of an ended session', () => {
  test('names a change that the end of the session refused, without the user', async () => {
    const { sent, api } = endingSession();
    answer(unauthorized);
    await expect(api('set-user-access', block)).rejects.toMatchObject({ code: 'session_ended' });
    expect(sent.list()).toEqual([{ words: 'Block access: wiki', fate: 'refused' }]);
  });

  test('says what became of the changes that were in flight', async () => {
    const { sent, api } = endingSession();
    const responses = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    let asked = 0;
    answer(() => responses[asked++]?.promise ?? unauthorized());
    const [first, second] = [api('set-user-access', block), api('delete-user', { path: { userId: 'ada' } })];
    await api('set-user-access', block).catch(() => undefined);
    const fates = () => sent.list().map(({ fate }) => fate);
    expect(fates()).toEqual(['sending', 'sending', 'refused']);
    responses[0]?.resolve(Response.json({ changed: true }));
    await first;
    responses[1]?.reject(new TypeError('fetch failed'));
    await second.catch(() => undefined);
    expect(fates()).toEqual(['saved', 'unknown', 'refused']);
  });

  test('names nothing that ended before, and nothing after the next login', async () => {
    const { sent, api } = endingSession();
    answer(() => Response.json({ changed: true }));
    await api('set-user-access', block);
    expect(sent.list()).toEqual([]);
    answer(unauthorized);
    await api('set-user-access', block).catch(() => undefined);
    sent.clear();
    expect(sent.list()).toEqual([]);
  });
});

test('only a request that changes something is described', () => {
  expect(describeWrite('list-users', {})).toBeUndefined();
  expect(describeWrite('resolve-users', { body: { names: ['ada'] } })).toBeUndefined();
  expect(describeWrite('set-user-status-in-bulk', { body: { userIds: [], dryRun: true } })).toBeUndefined();
  expect(describeWrite('update-application', { path: { appId: 'wiki' }, query: { dryRun: 'true' } })).toBeUndefined();
  expect(describeWrite('set-access-in-bulk', { path: { appId: 'wiki' }, body: { userIds: ['ada', 'bob'] } })).toBe(
    'Set access in bulk: wiki, 2 users',
  );
  expect(describeWrite('set-user-status', { path: { userId: 'ada' }, body: { status: 'inactive' } })).toBe(
    'Deactivate',
  );
  expect(describeWrite('create-user', { path: { userId: 'ada' } })).toBe('Create user');
});
