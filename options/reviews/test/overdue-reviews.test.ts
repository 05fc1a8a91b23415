import { expect, test } from '@jest/globals';
import { applicationOf } from '#shared/table/items/application-item.ts';
import { applicationItem } from '#test/support/table-items.ts';
import { reviewMember } from '../contract/review-member.ts';
import { overdueWords } from '../dashboard/overdue-words.ts';
import { reviewCounts } from '../server/overdue-count.ts';

const at = new Date('2026-11-20T19:00:00.000Z');

test('the overview counts the applications whose review is overdue', async () => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const applications = [null, 30, 3650].map((reviewEveryDays, n) =>
    applicationOf(applicationItem({ appId: `app-${n}`, reviewEveryDays, createdAt })),
  );
  const shown = applications.filter((application) => application !== undefined);
  const counted = reviewCounts.overview.count({ at, isLimited: false, applications: Promise.resolve(shown) });
  expect(await counted).toBe(1);
});

test('overdue reviews have the verb of their number, and a line on the command line', () => {
  expect([0, 1, 2].map(overdueWords)).toEqual([
    'access reviews are overdue',
    'access review is overdue',
    'access reviews are overdue',
  ]);
  expect(reviewMember.lines(2)).toEqual([['overdue access reviews', '2']]);
});
