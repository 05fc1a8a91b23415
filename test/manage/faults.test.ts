import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import type { Ask } from '../support/each-entry-point.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { type Fault, type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
const ask: Ask = (method, path, body) => manage('iam', method, path, { body });
beforeAll(async () => {
  sdk = await watchServiceTable();
});
afterEach(() => {
  sdk.fault = undefined;
});

const timedOut = () => Object.assign(new Error('injected'), { name: 'TimeoutError' });
const defect = () =>
  Object.assign(new Error('injected'), { name: 'ValidationException', $metadata: {}, $fault: 'client' });

/** Fails every transaction on this user. */
const failFor =
  (userId: string, error: () => Error): Fault =>
  async ({ command, input }, send) => {
    const concerns = command === 'TransactWriteItemsCommand' && JSON.stringify(input).includes(`"USER#${userId}"`);
    if (concerns) throw error();
    return send();
  };

/** Executes the first transaction, but loses its response. */
function loseFirstAnswer(): Fault {
  let lost = 0;
  return async ({ command }, send) => {
    const answer = await send();
    if (command !== 'TransactWriteItemsCommand' || lost++ > 0) return answer;
    throw timedOut();
  };
}

describe('a bulk request can fail for one user and succeed for all others', () => {
  test.each([
    ['because the table does not answer', timedOut, 'unavailable'],
    ['because of a defect, without details of it', defect, 'internal'],
  ])('a bulk request fails for only one user %s', async (_, error, code) => {
    const appId = await newApplication();
    const userIds = await newUsers(25);
    const failing = userIds[12] ?? '';
    sdk.fault = failFor(failing, error);
    const answer = await ask('POST', `/applications/${appId}/access`, { userIds, status: 'disabled' });
    sdk.fault = undefined;
    expect(answer.status).toBe(200);
    expect(answer.body.items).toEqual(
      userIds.map((userId) =>
        userId === failing
          ? { userId, outcome: 'failed', problem: { code, detail: expect.not.stringContaining('injected') } }
          : { userId, outcome: 'changed' },
      ),
    );
    const recorded = (await changesOf(service, answer)).map(({ userId }) => userId);
    expect(recorded.sort()).toEqual(userIds.filter((userId) => userId !== failing).sort());
    const again = await ask('POST', `/applications/${appId}/access`, { userIds, status: 'disabled' });
    expect(again.body.items.filter(({ outcome }: { outcome: string }) => outcome !== 'unchanged')).toEqual([
      { userId: failing, outcome: 'changed' },
    ]);
  });
});

describe('a write whose first response from the table is lost takes effect once, and says so', () => {
  test.each([
    ['POST', async () => ['/applications', { appId: 'lost', name: 'Lost' }], { appId: 'lost', version: 1 }],
    ['PUT', async () => ['/users/lost', {}], { userId: 'lost', version: 1 }],
    ['PATCH', async () => [`/users/${await newUser()}`, { displayName: 'Ada' }], { changed: true, version: 2 }],
    ['PATCH', async () => [`/applications/${await newApplication()}`, { name: 'New' }], { changed: true, version: 2 }],
    ['PUT', async () => [`/applications/${await newApplication()}/roles/new`, {}], { changed: true, version: 1 }],
    [
      'PUT',
      async () => [`/users/${await newUser()}/access/wiki`, { status: 'disabled' }],
      { changed: true, version: 1 },
    ],
    ['POST', async () => [`/applications/${await newApplication()}/keys`, {}], { revokedAt: null }],
  ] as [string, () => Promise<[string, object]>, object][])(
    'takes effect once, and says so, if the first response from the table is lost: %s, row %#',
    async (method, prepare, expected) => {
      const [path, body] = await prepare();
      sdk.fault = loseFirstAnswer();
      const answer = await ask(method, path, body);
      expect([[200, 201].includes(answer.status), answer.body]).toEqual([true, expect.objectContaining(expected)]);
      expect(await changesOf(service, answer)).toHaveLength(1);
    },
  );
});

test('answers 503 with Retry-After while the table does not answer, and writes nothing', async () => {
  sdk.fault = async () => {
    throw timedOut();
  };
  const answer = await ask('PUT', '/users/new', {});
  sdk.fault = undefined;
  expectProblem(answer, 'unavailable');
  expect([answer.headers['retry-after'], await changesOf(service, answer)]).toEqual(['1', []]);
});

test('answers 500 without details of a defect', async () => {
  sdk.fault = async () => {
    throw defect();
  };
  const answer = await ask('GET', '/users/ada');
  expectProblem(answer, 'internal');
  expect(answer.body.detail).not.toContain('injected');
});
