import type { AppId } from '#shared/contract/fields.ts';
import { jitter, now, pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { log } from '#shared/core/telemetry.ts';
import { type Application, countRequests, type RequestTotals } from '#shared/table/items/application-item.ts';

const windowMilliseconds = 5000;
/** How often a process settles an application that is far below its limit. */
const restMilliseconds = 30_000;
/** After so long without a settlement, what was counted and read before says nothing any more. */
const forgetMilliseconds = 60_000;
/** A share of the limit below which an application is far from it. */
const nearShare = 0.5;
/** As many processes as may serve an application at once: Lambda's default quota. */
const maxProcesses = 1000;

interface Reading extends RequestTotals {
  readonly at: number;
}

/**
 * The requests of one application that one process sees, and what share of them it lets through: the limit divided by the
 * load of all processes, which it learns when it adds its own count to the totals. Times are in milliseconds since the
 * epoch, loads and limits in requests a second.
 */
export class RequestMeter {
  /** Undefined until the application has been read; `null` is no limit. */
  limit: number | null | undefined;
  /** Requests since the window began. */
  #count = 0;
  #since: number;
  /** Those of earlier windows that are not in the totals yet. */
  #unsettled = 0;
  #settleAt: number;
  /** Of the last thirty seconds, the oldest first. */
  readonly #readings: Reading[] = [];
  #load = 0;
  /** Whether it settles rarely, far below the limit: its requests are counted apart, because those of a long time come at once. */
  #isResting = false;
  /** Its own load at the last settlement. */
  #ownLoad = Number.POSITIVE_INFINITY;

  /** The first settlement is at a random part of the window, so that processes that start together settle apart. */
  constructor(at: number, random: number) {
    this.#since = at;
    this.#settleAt = at + random * windowMilliseconds;
  }

  /** Counts a request; whether it is let through. `random` is from 0 to 1. */
  admits(at: number, random: number): boolean {
    if (at < this.#since || at - this.#since > forgetMilliseconds) this.#forget(at);
    this.#count++;
    if (this.limit === null || this.limit === undefined) return true;
    return random * Math.max(this.#load, this.#measured(at)) < this.limit;
  }

  /** What to add to the totals now; undefined for nothing. Once in a window at most, and only near the limit. */
  due(at: number): RequestTotals | undefined {
    if (this.limit === null || this.limit === undefined || at < this.#settleAt) return undefined;
    const own = this.#measured(at);
    this.#settleAt = at + windowMilliseconds;
    // With twice the requests, what was read before is not the load of now.
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

  /** Takes the totals that a settlement has led to. */
  learn({ requests, restingRequests }: RequestTotals, at: number): void {
    const last = this.#readings.at(-1);
    // The totals of an application without requests for a day begin anew.
    if (last !== undefined && (at <= last.at || requests < last.requests)) this.#readings.length = 0;
    this.#readings.push({ requests, restingRequests, at });
    while ((this.#readings[1]?.at ?? at) <= at - restMilliseconds) this.#readings.shift();
    const [oldest] = this.#readings;
    if (last === undefined || oldest === undefined || oldest.at === at || this.limit === null) return;
    const rate = (count: number, since: number) => (count * 1000) / (at - since);
    // Those that rest are averaged over a time in which each of them has settled once.
    const isLong = at - oldest.at >= restMilliseconds - windowMilliseconds;
    const resting = isLong ? rate(restingRequests - oldest.restingRequests, oldest.at) : 0;
    this.#load = rate(requests - last.requests, last.at) + resting;
    this.#isResting = this.#load < (this.limit ?? 0) * nearShare;
  }

  /** Its own load in this window; of less than a second as if of one. */
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

/** Keeps the limit of an application that was just read, for the requests that come. */
export function learnLimit({ appId, requestsPerSecond }: Application): void {
  const meter = meters.get(appId);
  if (meter !== undefined) meter.limit = requestsPerSecond;
}

/** How long an answer may wait for the settlement that was begun with it. */
const settleTimeoutMilliseconds = 100;

/**
 * Runs a request whose signature is valid, or refuses it without any request to the table: 429 `too_many_requests`. A
 * settlement that is due is sent beside the reads of the request, and waited for as long as they take, 100 ms at most:
 * on Lambda nothing runs after the answer. It can fail no request.
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

/** From 0 to 1, in steps of a millionth. */
function chance(): number {
  return jitter(1_000_000) / 1_000_000;
}

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11 */
function tooManyRequests(limit: number): ServiceError {
  // Spread, so that those who wait do not come back together.
  const seconds = 1 + jitter(windowMilliseconds / 1000 - 1);
  const windowSeconds = windowMilliseconds / 1000;
  return new ServiceError('too_many_requests', {
    detail: `The application sends more than its ${limit} requests a second. Try again in ${seconds} s.`,
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"app";q=${limit * windowSeconds};w=${windowSeconds}`,
      ratelimit: `"app";r=0;t=${seconds}`,
    },
  });
}
