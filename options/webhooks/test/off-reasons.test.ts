import { expect, test } from '@jest/globals';
import { offReasons } from '../contract/webhook-answers.ts';
import { describeOffReason } from '../contract/webhook-change-kinds.ts';

test('every reason for which a webhook stops has words, and an unknown one its name in the API', () => {
  for (const reason of offReasons) expect(describeOffReason(reason)).not.toBe(reason);
  expect(describeOffReason('tired')).toBe('tired');
});
