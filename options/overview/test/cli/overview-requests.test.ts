import { describe } from '@jest/globals';
import { testRequests } from '#test/cli/sent-request.ts';

describe('the command overview sends its signed request and prints the numbers of the core', () => {
  testRequests([
    [
      'overview',
      'GET /overview',
      {},
      {
        users: { active: 3391, inactive: 17 },
        applications: [{ appId: 'billing', name: 'Billing', blocked: 12 }],
        rollouts: [{ appId: 'canteen', name: 'Canteen', rolloutPercent: 10 }],
        blocksEndingThisWeek: { count: 1000, more: true },
        keys: { expiring: { count: 1, more: false }, unused: { count: 0, more: false } },
        days: [{ date: '2026-11-20', changes: 57, blocks: 3, unblocks: 1 }],
        asOf: '2026-11-20T19:14:11.123Z',
      },
      [
        'users                            3391 active, 17 inactive',
        'blocks that end within 7 days    at least 1000',
        'keys that expire within 30 days  1',
        'keys unused for 30 days          0',
      ].join('\n'),
    ],
  ]);
});
