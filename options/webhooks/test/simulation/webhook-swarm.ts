import { Draw, drawFrequencies } from '#test/simulation/draw.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import type { WebhookEvent } from '../../contract/webhook.ts';

/** How the webhooks of a seed are received, and what operators do with them. */
export interface WebhookSwarm {
  /** The events of each webhook; `null` for all. */
  readonly events: readonly WebhookEvent[] | null;
  /** The probability that a receiver answers 500. */
  readonly refused: number;
  /** The probability that the answer of a receiver is lost, whatever it says. */
  readonly lostAnswer: number;
  /** Of one user in so many receivers accept nothing until the faults end, whatever they accept of others; 0 for no user. */
  readonly refusedUsers: number;
  /** Whether receivers accept nothing until the faults end. */
  readonly isDown: boolean;
  /** The longest time until a receiver answers; some take longer than the service waits. */
  readonly answerMilliseconds: number;
  /** The probability that an invocation is lost, so only the schedule delivers. */
  readonly lostInvocation: number;
  /** The probability that an invocation is made twice. */
  readonly repeatedInvocation: number;
  readonly requests: number;
  /** The relative frequency of each kind of request of an operator. */
  readonly weights: Readonly<Record<WebhookRequestKind, number>>;
}

export const webhookRequestKinds = [
  'turn-on',
  'turn-off',
  'correct-url',
  'rotate',
  'test',
  'send-again',
  'send-since',
  'delete',
] as const;
export type WebhookRequestKind = (typeof webhookRequestKinds)[number];

const usualWeights: Readonly<Record<WebhookRequestKind, number>> = {
  'turn-on': 4,
  'turn-off': 3,
  'correct-url': 2,
  rotate: 2,
  test: 1,
  'send-again': 3,
  'send-since': 2,
  delete: 0.5,
};

/** Only every so many seeds have webhooks, which are invoked again and again. */
const webhooksEvery = 13;
const firstWebhooks = 4;

/** Draws the webhooks of a seed, from numbers of their own: undefined if it has none. */
export function drawWebhooks(seed: number): WebhookSwarm | undefined {
  if (seed % webhooksEvery !== firstWebhooks) return undefined;
  const draw = new Draw(seededRandom(~seed));
  return {
    events: draw.oneOf<readonly WebhookEvent[] | null>(null, null, ['access.changed', 'user.status.changed']),
    refused: draw.oneOf(0, 0.1, 0.5),
    lostAnswer: draw.oneOf(0, 0.1, 0.5),
    refusedUsers: draw.oneOf(0, 0, 2, 3),
    isDown: draw.chance(0.2),
    answerMilliseconds: draw.oneOf(10, 1000, 15_000),
    lostInvocation: draw.oneOf(0, 0.2, 1),
    repeatedInvocation: draw.oneOf(0, 0.2),
    requests: draw.between(0, 8),
    weights: drawFrequencies(draw, webhookRequestKinds, usualWeights),
  };
}
