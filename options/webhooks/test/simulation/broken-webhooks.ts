import type { BrokenCondition } from '#test/simulation/broken-conditions.ts';

/** What the deliveries of webhooks rest on. */
export const brokenInWebhooks: Readonly<Record<string, BrokenCondition>> = {
  'changes without a number': {
    file: 'shared/domain/history/feed-order.ts',
    text: '.map(({ change }) => change), ...pending]',
    instead: '.map(({ change }) => change)]',
    check: 'webhooks',
    seed: 82,
  },
  'order of the changes of a lane': {
    file: 'options/webhooks/delivery/delivery-lanes.ts',
    text: 'events.toSorted((one, other) => (one.id < other.id ? -1 : 1))',
    instead: 'events',
    check: 'webhooks',
    seed: 121,
  },
  'lanes that are not due': {
    file: 'options/webhooks/delivery/webhook-deliverer.ts',
    text: '...lanes.filter((lane) => !due.includes(lane)), ',
    instead: '',
    check: 'webhooks',
    seed: 30,
  },
  'what is due when a webhook is turned on': {
    file: 'options/webhooks/table/webhook-state-item.ts',
    text: '...(enabled && { retryNow: true })',
    instead: '',
    check: 'webhooks',
    seed: 797,
  },
  'what a receiver refused': {
    file: 'options/webhooks/delivery/webhook-deliverer.ts',
    text: "if (judgement.kind !== 'failed') return { lane: withoutFirst(lane, at) };",
    instead: 'return { lane: withoutFirst(lane, at) };',
    check: 'webhooks',
    seed: 433,
  },
};
