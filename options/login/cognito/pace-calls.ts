import { now, pause } from '#shared/core/clock.ts';

interface Pace {
  readonly actions: RegExp;
  /** Requests of one process; two processes stay below the default quota of the account. */
  readonly perSecond: number;
}

/**
 * The categories in which Cognito limits requests: 15 a second for clients, 120 for reading users, 25 for changing them.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html
 */
const paces: readonly Pace[] = [
  { actions: /Client|Branding/, perSecond: 5 },
  { actions: /^AdminGetUser$/, perSecond: 40 },
  { actions: /^/, perSecond: 10 },
];

/** The earliest time of the next request of each category, in milliseconds since the epoch. */
const nextAt = new Map<Pace, number>();
/** A clock that was set back does not hold up requests for longer. */
const longestWaitMilliseconds = 30_000;

/** Waits until a request may be sent, so that Cognito need not refuse it; the first ones wait for nothing. */
export async function paceCall(action: string): Promise<void> {
  const pace = paces.find(({ actions }) => actions.test(action));
  if (pace === undefined) return;
  const at = now().getTime();
  const next = nextAt.get(pace) ?? 0;
  const sendAt = next > at + longestWaitMilliseconds ? at : Math.max(at, next);
  nextAt.set(pace, sendAt + 1000 / pace.perSecond);
  if (sendAt > at) await pause(sendAt - at);
}

/** Forgets what was sent, like a new process. */
export function forgetPaces(): void {
  nextAt.clear();
}
