import { expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { newUsers } from '../support/new-user.ts';
import { startBundles } from '../support/start-service.ts';

const service = describeService(startBundles);

interface ChangeItem {
  readonly before: { readonly version: number; readonly status: string; readonly reason: string | null };
  readonly after: { readonly version: number; readonly status: string; readonly reason: string | null };
  readonly at: string;
}

test('50 parallel writes under one key on different users all succeed', async () => {
  const userIds = await newUsers(50);
  const answers = await Promise.all(
    userIds.map((id) => service.request(['PUT', `/api/service/users/${id}/access`], { body: { status: 'disabled' } })),
  );
  expect(answers.map(({ status, body }) => [status, body.changed])).toEqual(Array(50).fill([200, true]));
});

test('20 parallel conflicting writes to one access produce a history without gaps', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      service.request(['PUT', '/api/service/users/ada/access'], {
        body: { status: n % 2 === 0 ? 'disabled' : 'enabled', reason: `writer ${n}` },
      }),
    ),
  );
  // A write that conflicts more than four times answers 503 and changes nothing.
  const accepted = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(accepted.length).toBeGreaterThan(0);

  const items = await service.items();
  const history = [...items.entries()]
    .filter(([key]) => key.startsWith('USER#ada CHANGE#'))
    .map(([, item]) => item as unknown as ChangeItem)
    .filter(({ after }) => 'status' in after && 'reason' in after)
    .sort((one, other) => one.after.version - other.after.version);
  expect(history.map(({ after }) => after.version)).toEqual(accepted.map((_, n) => n + 1));
  for (const [n, change] of history.entries()) {
    const previous = history[n - 1]?.after ?? {
      version: 0,
      status: 'enabled',
      reason: null,
      explicit: false,
      until: null,
    };
    expect(change.before).toEqual(previous);
    if (n > 0) expect(change.at > (history[n - 1]?.at ?? '')).toBe(true);
  }
  const { status, reason, version } = history.at(-1)?.after ?? {};
  expect(items.get('USER#ada ACCESS#billing')).toMatchObject({ status, reason, version });
  expect(new Set(accepted.map(({ body }) => body.version)).size).toBe(accepted.length);
});
