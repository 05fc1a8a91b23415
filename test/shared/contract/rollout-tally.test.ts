import { expect, test } from '@jest/globals';
import { isInRollout } from '#shared/contract/rollout.ts';
import { RolloutTally } from '#shared/contract/rollout-tally.ts';

const users = Array.from({ length: 500 }, (_, n) => `user-${n}`);

test('admits at each percentage exactly the users whom the service admits', () => {
  const tally = new RolloutTally('billing');
  for (const userId of users) tally.add(userId);
  for (const percent of [0, 0.01, 12.34, 50, 99.99, 100]) {
    expect(tally.admitted(percent)).toBe(users.filter((userId) => isInRollout('billing', userId, percent)).length);
  }
});

test('leaves out a user with a setting, whichever list is read first', () => {
  const tally = new RolloutTally('billing');
  tally.remove('user-1');
  for (const userId of users) tally.add(userId);
  tally.remove('user-2');
  expect(tally.admitted(100)).toBe(498);
});
