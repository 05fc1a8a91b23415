import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createApi } from '#dashboard/api/create-api.ts';
import { createWriter } from '#dashboard/api/create-writer.ts';
import { checkFile } from '../../dashboard/check-file.ts';

/** The responses of the service in turn; undefined is a network failure. */
let answers: (Response | undefined)[];
/** The ids of the users of each request. */
let asked: string[][];
beforeEach(() => {
  asked = [];
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    const { users } = JSON.parse(String(init?.body)) as { users: { userId: string }[] };
    asked.push(users.map(({ userId }) => userId));
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError('fetch failed');
    return answer;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const api = createApi({ token: () => 'token', renew: async () => true, expire: () => undefined });
const refused = (status: number, code: string) => Response.json({ code, title: 'T', detail: 'D' }, { status });
const changed = (userId: string) => ({ userId, outcome: 'changed', changes: [{ effect: 'created' }], problems: [] });
const unchanged = (userId: string) => ({ userId, outcome: 'unchanged', changes: [], problems: [] });
const problem = (code: string) => ({ code, detail: 'D' });
const failed = (userId: string, ...codes: readonly string[]) => ({
  userId,
  outcome: 'failed',
  changes: [{ effect: 'created' }],
  problems: codes.map(problem),
});
const answer = (...items: readonly object[]) => Response.json({ items });

const file = new File(['userId,displayName\nada,Ada King\nbob,Bob King\n'], 'people.csv');
/** Checks the file; no pause between two attempts takes time. */
async function check() {
  let isDone = false;
  const checking = checkFile(
    file,
    () => createWriter(api),
    () => undefined,
  ).finally(() => {
    isDone = true;
  });
  checking.catch(() => undefined);
  while (!isDone) {
    await jest.advanceTimersByTimeAsync(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return checking;
}
const idsOf = (users: readonly { readonly userId: string }[]) => users.map(({ userId }) => userId);

test.each<[string, () => Response | undefined]>([
  ['a 503', () => refused(503, 'unavailable')],
  ['a 429', () => refused(429, 'too_many_requests')],
  ['a 504 of a proxy', () => new Response('<html>', { status: 504 })],
  ['a network failure', () => undefined],
])('the check of a file repeats a request after %s', async (_, failure) => {
  answers = [failure(), failure(), answer(changed('ada'), unchanged('bob'))];
  const { plan, rejected } = await check();
  expect([idsOf(plan.changing), plan.unchanged, rejected]).toEqual([['ada'], 1, []]);
  expect(asked).toEqual([
    ['ada', 'bob'],
    ['ada', 'bob'],
    ['ada', 'bob'],
  ]);
});

test('the check asks again only about the users for whom the service was unavailable', async () => {
  answers = [
    answer(failed('ada', 'role_not_found'), failed('bob', 'role_not_found', 'unavailable')),
    answer(unchanged('bob')),
  ];
  const { plan } = await check();
  expect(asked).toEqual([['ada', 'bob'], ['bob']]);
  // A check changes nothing, so an earlier attempt cannot have changed a user.
  expect([plan.unchanged, plan.changing, [...plan.problems.keys()]]).toEqual([1, [], ['ada']]);
});

test.each([
  ['is refused', [refused(403, 'forbidden')], 'forbidden', 1],
  ['is never answered', [1, 2, 3].map(() => refused(503, 'unavailable')), 'unavailable', 3],
] as const)('a check that %s rejects no row, but fails', async (_, responses, code, requests) => {
  answers = [...responses];
  await expect(check()).rejects.toMatchObject({ code });
  expect(asked).toHaveLength(requests);
});
