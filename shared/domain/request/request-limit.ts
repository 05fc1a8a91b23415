import type { AppId } from '#shared/contract/fields.ts';
import { jitter, now, pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { log } from '#shared/core/telemetry.ts';
import { type Application, countRequests, type RequestTotals } from '#shared/table/items/application-item.ts';

const windowMilliseconds = 5000;
/** The interval at which a process settles an application far below its limit. */
const restMilliseconds = 30_000;
/** The time without a settlement after which earlier counts are discarded. */
const forgetMilliseconds = 60_000;
/** The share of the limit below which an application counts as far below it. */
const nearShare = 0.5;
/** The most processes that can serve an application at the same time: Lambda's default quota. */
const maxProcesses = 1000;

interface Reading extends RequestTotals {
  readonly at: number;
}

/**
 * The requests of one application in one process, and the share of them that it accepts: the limit divided by the
 * load of all processes, which it reads when it adds its own count to the totals. Times are in milliseconds since the
 * epoch, loads and limits in requests per second.
 */
export class RequestMeter {
  /** Undefined until the application has been read; `null` for no limit. */
  limit: number | null | undefined;
  /** Requests since the window began. */
  #count = 0;
  #since: number;
  /** Requests of earlier windows that are not yet in the totals. */
  #unsettled = 0;
  #settleAt: number;
  /** From the last thirty seconds, oldest first. */
  readonly #readings: Reading[] = [];
  #load = 0;
  /**
   * Whether it settles rarely, far below the limit: its requests are counted separately, because they arrive in large
   * batches.
   */
  #isResting = false;
  /** Its own load at the last settlement. */
  #ownLoad = Number.POSITIVE_INFINITY;

  /**
   * The first settlement is at a random part of the window, so that processes that start together settle at different
   * times.
   */
  constructor(at: number, random: number) {
    this.#since = at;
    this.#settleAt = at + random * windowMilliseconds;
  }

  /** Counts a request; returns whether it is accepted. `random` is from 0 to 1. */
  admits(at: number, random: number): boolean {
    if (at < this.#since || at - this.#since > forgetMilliseconds) this.#forget(at);
    this.#count++;
    if (this.limit === null || this.limit === undefined) return true;
    return random * Math.max(this.#load, this.#measured(at)) < this.limit;
  }

  /** The count to add to the totals now; undefined for none. At most once per window, and only near the limit. */
  due(at: number): RequestTotals | undefined {
    if (this.limit === null || this.limit === undefined || at < this.#settleAt) return undefined;
    const own = this.#measured(at);
    this.#settleAt = at + windowMilliseconds;
    // With twice the requests, the load that was read is outdated.
    if (this.#isResting && own > 2 * this.#ownLoad) this.#forgetTotals();
    this.#unsettled += this.#count;
    this.#count = 0;
    this.#since = at;
    if (own * maxProcesses < this.limit * nearShare) return this.#forgetTotals();
    if (this.#isResting && at - (this.#readings.at(-1)?.at ?? 0) < restMilliseconds) return undefined;
    this.#ownLoad = own;
    const count = this.#unsettled;
    this.#unsettled = 0;
    return this.#isResting ? { requests: 0, restingRequests: count } : { requests: count, restingRequests: 0 };
  }

  /** Applies the totals returned by a settlement. */
  learn({ requests, restingRequests }: RequestTotals, at: number): void {
    const last = this.#readings.at(-1);
    // The totals of an application without requests for a day restart.
    if (last !== undefined && (at <= last.at || requests < last.requests)) this.#readings.length = 0;
    this.#readings.push({ requests, restingRequests, at });
    while ((this.#readings[1]?.at ?? at) <= at - restMilliseconds) this.#readings.shift();
    const [oldest] = this.#readings;
    if (last === undefined || oldest === undefined || oldest.at === at || this.limit === null) return;
    const rate = (count: number, since: number) => (count * 1000) / (at - since);
    // Processes that settle rarely are averaged over a time in which each of them has settled once.
    const isLong = at - oldest.at >= restMilliseconds - windowMilliseconds;
    const resting = isLong ? rate(restingRequests - oldest.restingRequests, oldest.at) : 0;
    this.#load = rate(requests - last.requests, last.at) + resting;
    this.#isResting = this.#load < (this.limit ?? 0) * nearShare;
  }

  /** Its own load in this window; a window under a second counts as one second. */
  #measured(at: number): number {
    return this.#count / Math.max(1, (at - this.#since) / 1000);
  }

  #forget(at: number): void {
    this.#count = 0;
    this.#since = at;
    this.#forgetTotals();
  }

  #forgetTotals(): undefined {
    this.#unsettled = 0;
    this.#readings.length = 0;
    this.#load = 0;
    this.#isResting = false;
  }
}

const maxMeters = 1000;
const meters = new Map<AppId, RequestMeter>();

/** Keeps the limit of an application that was just read, for later requests. */
export function learnLimit({ appId, requestsPerSecond }: Application): void {
  const meter = meters.get(appId);
  if (meter !== undefined) meter.limit = requestsPerSecond;
}

/** How long a response may wait for the settlement started with its request. */
const settleTimeoutMilliseconds = 100;

/**
 * Runs a request whose signature is valid, or refuses it without any request to the table: 429 `too_many_requests`. A
 * settlement that is due is sent in parallel with the request's reads, and awaited for at most 100 ms after them:
 * on Lambda nothing runs after the response. Its failure does not fail the request.
 */
export async function withinLimit<T>(appId: AppId, run: () => Promise<T>): Promise<T> {
  const at = now().getTime();
  const meter = meterOf(appId, at);
  const isAdmitted = meter.admits(at, chance());
  const settling = settle(appId, meter, at);
  try {
    if (!isAdmitted) throw tooManyRequests(meter.limit ?? 0);
    return await run();
  } finally {
    if (settling !== undefined) await Promise.race([settling, pause(settleTimeoutMilliseconds)]);
  }
}

function settle(appId: AppId, meter: RequestMeter, at: number): Promise<void> | undefined {
  const settlement = meter.due(at);
  if (settlement === undefined) return undefined;
  return countRequests(appId, settlement).then(
    (totals) => meter.learn(totals, at),
    (error: Error) => log.warn('The requests of an application were not counted', { appId, error }),
  );
}

function meterOf(appId: AppId, at: number): RequestMeter {
  const known = meters.get(appId);
  if (known !== undefined) return known;
  const [oldest] = meters.keys();
  if (meters.size >= maxMeters && oldest !== undefined) meters.delete(oldest);
  const meter = new RequestMeter(at, chance());
  meters.set(appId, meter);
  return meter;
}

/** From 0 to less than 1, in steps of a millionth: with 1, an application at its limit could be refused. */
function chance(): number {
  return jitter(999_999) / 1_000_000;
}

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11 */
function tooManyRequests(limit: number): ServiceError {
  // Randomized, so that waiting clients do not retry together.
  const seconds = 1 + jitter(windowMilliseconds / 1000 - 1);
  const windowSeconds = windowMilliseconds / 1000;
  return new ServiceError('too_many_requests', {
    detail: `The application sends more than its limit of ${limit} requests per second. Try again in ${seconds} s.`,
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"app";q=${limit * windowSeconds};w=${windowSeconds}`,
      ratelimit: `"app";r=0;t=${seconds}`,
    },
  });
}
