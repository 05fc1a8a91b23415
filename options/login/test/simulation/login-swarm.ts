import { Draw, drawFrequencies } from '#test/simulation/draw.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

export const loginRequestKinds = [
  'invite',
  'sign-out',
  'delete-account',
  'recreate-account',
  'set-email',
  'set-login',
  'delete-login',
  'recreate-login',
  'blink',
] as const;
export type LoginRequestKind = (typeof loginRequestKinds)[number];

const usualWeights: Readonly<Record<LoginRequestKind, number>> = {
  invite: 4,
  'sign-out': 2,
  'delete-account': 1,
  'recreate-account': 2,
  'set-email': 3,
  'set-login': 2,
  'delete-login': 1,
  'recreate-login': 2,
  blink: 2,
};

/** How the user pool of a seed answers, and what operators do with accounts and logins. */
export interface LoginSwarm {
  /** The probability that a call is lost before it has an effect, and that its answer is. */
  readonly lostCall: number;
  readonly lostAnswer: number;
  /** The probability that a call is above a limit. */
  readonly throttled: number;
  /** The longest time until the pool answers. */
  readonly answerMilliseconds: number;
  /** The probability that an invocation is lost, so only the schedule is left, and that it is made twice. */
  readonly lostInvocation: number;
  readonly repeatedInvocation: number;
  readonly requests: number;
  /** How often people log in or come back for new tokens. */
  readonly logins: number;
  readonly weights: Readonly<Record<LoginRequestKind, number>>;
}

/** Only every so many seeds have logins, and none that has webhooks. */
const loginsEvery = 13;
const firstLogins = 9;

/** Draws the logins of a seed, from numbers of their own: undefined if it has none. */
export function drawLogins(seed: number): LoginSwarm | undefined {
  if (seed % loginsEvery !== firstLogins) return undefined;
  const draw = new Draw(seededRandom(~seed));
  return {
    lostCall: draw.oneOf(0, 0.1, 0.3),
    lostAnswer: draw.oneOf(0, 0.1, 0.3),
    throttled: draw.oneOf(0, 0, 0.3),
    answerMilliseconds: draw.oneOf(10, 1000, 6000),
    lostInvocation: draw.oneOf(0, 0.3, 1),
    repeatedInvocation: draw.oneOf(0, 0.3),
    requests: draw.between(5, 20),
    logins: draw.between(5, 20),
    weights: drawFrequencies(draw, loginRequestKinds, usualWeights),
  };
}
