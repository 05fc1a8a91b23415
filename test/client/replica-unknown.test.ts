import { describe, expect, jest, test } from '@jest/globals';
import { AuthServiceClient } from '../../client/index.ts';
import { testKey } from './client-fixture.ts';
import { change, replicasOnStub, statusChange } from './replica-on-stub.ts';
import { pass, stubClient } from './replica-service.ts';

const it = replicasOnStub();

/** A client whose `getAccess` answers about some users, and the ids that it was asked about. */
function clientKnowing(answers: Record<string, object>) {
  const client = stubClient(it.stub);
  const asked: string[] = [];
  jest.spyOn(client, 'getAccess').mockImplementation(async (userId) => {
    asked.push(userId);
    const answer = answers[userId];
    if (answer === undefined) throw Object.assign(new Error('unknown'), { code: 'user_not_found' });
    return { userId, effectiveStatus: 'enabled', decidedBy: 'default', roles: [], ...answer } as never;
  });
  return { client, asked };
}

describe('an id of which the replica knows nothing', () => {
  test('is decided as an untouched user by default, and denied with "deny"', async () => {
    const { replica } = await it.open();
    expect(replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'default', code: null });
    const denying = await it.open({ unknown: 'deny' });
    for (const decision of [denying.replica.check('zoe'), await denying.replica.checkOrAsk('zoe')])
      expect(decision).toMatchObject({ effectiveStatus: 'disabled', decidedBy: null, code: 'unknown' });
    expect(denying.replica.check('ada')).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'explicit' });
  });

  test('is asked about once with "ask", and then decided locally', async () => {
    const { client, asked } = clientKnowing({ zoe: {} });
    const { replica } = await it.open({ client, unknown: 'ask' });
    expect(replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', code: 'unknown' });
    expect(await replica.checkOrAsk('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    expect(replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    expect(await replica.checkOrAsk('zoe')).toMatchObject({ effectiveStatus: 'enabled' });
    expect(await replica.checkOrAsk('ada')).toMatchObject({ effectiveStatus: 'disabled' });
    expect(asked).toEqual(['zoe']);
  });

  test('is denied with "ask" if it is another spelling of a blocked user', async () => {
    const { client, asked } = clientKnowing({});
    const { replica } = await it.open({ client, unknown: 'ask' });
    for (const userId of ['ADA', 'ada@example.com', 'ADA'])
      expect(await replica.checkOrAsk(userId)).toMatchObject({ effectiveStatus: 'disabled', code: 'user_not_found' });
    expect(asked).toEqual(['ADA', 'ada@example.com']);
    // It may be created later, which is no change of the application.
    await pass(61);
    await replica.checkOrAsk('ADA');
    expect(asked).toHaveLength(3);
  });

  test('is asked about again after a change of the user, and after a day', async () => {
    const { client, asked } = clientKnowing({ zoe: {} });
    const { replica } = await it.open({ client, unknown: 'ask', pollSeconds: 3600, maxStalenessSeconds: 1e6 });
    await replica.checkOrAsk('zoe');
    const [blocked, freed] = [
      statusChange('zoe', 'disabled'),
      change('access.changed', { userId: 'zoe', after: { explicit: false } }),
    ];
    it.deliver(blocked, freed);
    // The order of these changes is kept until a poll has told nothing of the user.
    await pass(2 * 3600);
    expect(replica.check('zoe').code).toBe('unknown');
    await replica.checkOrAsk('zoe');
    expect(replica.check('zoe').code).toBeNull();
    await pass(86_401);
    expect(replica.check('zoe').code).toBe('unknown');
    expect(asked).toHaveLength(2);
  });

  test('that the service knows to be blocked is not remembered, and is read again', async () => {
    const { client } = clientKnowing({ zoe: { effectiveStatus: 'disabled', decidedBy: 'explicit' } });
    const read = jest
      .spyOn(client, 'checkAccess')
      .mockResolvedValue([
        { userId: 'zoe', userStatus: 'active', explicit: true, status: 'disabled', until: null, roles: [] } as never,
      ]);
    const { replica, failures } = await it.open({ client, unknown: 'ask' });
    expect(await replica.checkOrAsk('zoe')).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'explicit' });
    expect(replica.check('zoe').code).toBe('unknown');
    await pass(6);
    expect(read).toHaveBeenCalledWith(['zoe'], expect.anything());
    expect(replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'explicit' });
    expect(failures).toMatchObject([{ during: 'repair', userIds: ['zoe'] }]);
  });

  test('rejects with the error of the client if the service does not answer', async () => {
    const client = new AuthServiceClient({
      baseUrl: 'https://auth.test',
      ...testKey,
      maxAttempts: 1,
      fetch: (request) =>
        request.url.includes('/users/') ? Promise.reject(new TypeError('failed')) : it.stub.fetch(request),
    });
    const { replica } = await it.open({ client, unknown: 'ask', whenStale: 'goOn' });
    await expect(replica.checkOrAsk('zoe')).rejects.toMatchObject({ code: 'no_answer' });
  });
});
