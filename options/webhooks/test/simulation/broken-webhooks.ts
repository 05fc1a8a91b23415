import type { BrokenCondition } from '#test/simulation/broken-conditions.ts';

/** What the deliveries of webhooks rest on. */
export const brokenInWebhooks: Readonly<Record<string, BrokenCondition>> = {
  'changes without a number': {
    file: 'shared/domain/history/feed-order.ts',
    text: '.map(({ change }) => change), ...pending]',
    instead: '.map(({ change }) => change)]',
    check: 'webhooks',
    seed: 1317,
    processCopies: 6,
  },
  'order of the changes of a lane': {
    file: 'options/webhooks/delivery/delivery-lanes.ts',
    text: '.toSorted((one, other) => (one.id < other.id ? -1 : 1)) };',
    instead: ' };',
    check: 'webhooks',
    seed: 82,
  },
  'lanes that wait': {
    file: 'options/webhooks/delivery/waiting-lanes.ts',
    text: 'filter((lane) => this.#stored.get(lane.subject) !== lane)',
    instead: 'filter(() => false)',
    check: 'webhooks',
    seed: 56,
  },
  'lanes that ended': {
    file: 'options/webhooks/delivery/waiting-lanes.ts',
    text: '...gone.map((subject) => deleteLaneEntry(this.#name, subject)),',
    instead: '',
    check: 'webhooks',
    seed: 56,
  },
  'what a receiver refused': {
    file: 'options/webhooks/delivery/receiver-progress.ts',
    text: "if (judgement.kind === 'failed') return this.#fail(subject, event, judgement);",
    instead: '',
    check: 'webhooks',
    seed: 56,
  },
};
