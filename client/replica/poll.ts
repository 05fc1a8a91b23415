import type { ErrorCode } from '../client-error.ts';
import type { AccessReplicaOptions } from './access-replica.ts';
import type { Deferred } from './deferred.ts';
import type { Knowledge } from './knowledge.ts';
import type { Loading } from './loading.ts';
import type { PollHealth } from './poll-health.ts';
import { jitter, maxBackOffMs } from './polling.ts';
import type { Repair } from './repair.ts';
import type { ReplicaCallbacks } from './replica-callbacks.ts';
import { defaultStalenessSeconds } from './replica-options.ts';
import type { Saver } from './saver.ts';

/** What a poll reads, changes and reports to. */
export interface PollParts {
  readonly ending: AbortController;
  readonly report: ReplicaCallbacks['report'];
  readonly knowledge: Knowledge;
  readonly health: PollHealth;
  readonly loading: Loading;
  readonly repair: Repair;
  readonly saver: Saver;
  /** Resolved with the first complete poll; rejected when the first load is given up. */
  readonly synchronized: Deferred;
  readonly catchUp: (mayRepair: boolean) => Promise<void>;
}

type PollError = Error & { readonly code?: string; readonly retryAfterSeconds?: number };

/** Codes that reject the key itself. Others can be caused by a wrong clock or by a request altered on the way. */
const refusals: readonly string[] = [
  'signature_mismatch',
  'key_revoked',
  'key_expired',
  'scope_missing',
  'address_not_allowed',
] satisfies ErrorCode[];

/** Returns the function that polls once and says how long to wait for the next poll, in milliseconds. */
export function createPoll(
  { ending, report, knowledge, health, loading, repair, saver, synchronized, catchUp }: PollParts,
  { pollSeconds = 5, maxStalenessSeconds = defaultStalenessSeconds, startTimeoutSeconds = 60 }: AccessReplicaOptions,
): () => Promise<number> {
  const pollMs = pollSeconds * 1000;
  const startsUntil = performance.now() + startTimeoutSeconds * 1000;

  function afterSuccess(): number {
    health.succeed();
    saver.outdate();
    synchronized.resolve();
    const wait = jitter(pollMs);
    return repair.isBusy || loading.snapshot ? Math.min(wait, jitter(1000)) : wait;
  }

  function afterFailure(error: PollError): number {
    const { code = '', retryAfterSeconds } = error;
    if (refusals.includes(code)) {
      health.refuse();
      saver.outdate();
    }
    // The cursor has expired or is invalid, or a response cannot be parsed.
    const isExpired = code === 'cursor_expired';
    if (isExpired || code === 'invalid_request' || error instanceof TypeError) loading.restart();
    if (!knowledge.state) return afterFailedStart(error);
    // It may have expired for all replicas at the same time; until the reload, the known data decides.
    if (isExpired) return Math.random() * Math.min(maxBackOffMs, maxStalenessSeconds * 500);
    return health.backOff(pollMs, retryAfterSeconds);
  }

  /** Nothing can decide before the first load, so it is given up if the key is rejected or it has taken too long. */
  function afterFailedStart(error: PollError): number {
    const leftMs = startsUntil - performance.now();
    if (!health.isRefused && leftMs > 0) return Math.min(health.backOff(1000, error.retryAfterSeconds), leftMs);
    synchronized.reject(error);
    ending.abort();
    return 0;
  }

  return async () => {
    let wait: number;
    try {
      await catchUp(!health.isFailing);
      wait = afterSuccess();
    } catch (error) {
      if (ending.signal.aborted) return 0;
      report('poll', error);
      wait = afterFailure(error as PollError);
    }
    await saver.saveIfDue();
    return wait;
  };
}
