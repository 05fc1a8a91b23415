import type { WebhookName } from '#shared/contract/fields.ts';
import { now, pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createRequestToken } from '#shared/core/ids.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { readChangesById } from '#shared/domain/history/changes-by-id.ts';
import { type Positions, readFeedChanges } from '#shared/domain/history/read-feed.ts';
import { signForApplication } from '#shared/domain/history/sign-for-application.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { type Application, readApplicationItem } from '#shared/table/items/application-item.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { decodeFeedCursor, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
import type { AttemptOutcome } from '../contract/webhook.ts';
import { turnOffWebhook } from '../server/webhooks.ts';
import {
  deleteWebhookRequest,
  putWebhookAttempt,
  readWebhookRequests,
  type WebhookRequest,
} from '../table/webhook-attempt-item.ts';
import { type Webhook, webhookOf } from '../table/webhook-item.ts';
import {
  type Lane,
  type LaneEvent,
  readWebhookStates,
  releaseWebhookLease,
  saveWebhookProgress,
  takeWebhookLease,
  type WebhookDelivery,
  type WebhookLease,
} from '../table/webhook-state-item.ts';
import { addToLanes, afterFailure, hasRoom, isDue, isHopeless, withoutFirst } from './delivery-lanes.ts';
import type { Judgement } from './judge-answer.ts';
import { type Attempted, sendEvent, testMessage, type WebhookMessage } from './send-event.ts';

/** How long a round of deliveries begins new ones; each may then take 10 s. */
const roundMilliseconds = 20_000;
/** Longer than a round with its last delivery: meanwhile nobody else delivers. */
const leaseMilliseconds = 60_000;
/** What a round and its end need at most. */
const reserveMilliseconds = 35_000;
/** A retry that is due so soon is waited for. */
const shortPauseMilliseconds = 10_000;
const pageSize = 50;

export interface DeliveryLimits {
  /** When the function must have ended, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly requestId: string;
}

/**
 * Delivers to a webhook until nothing is left, or time is up: true if so. One function at a time does; another one only makes it
 * look again. What it has delivered is saved after each round, so a function that is killed repeats at most one round, with the
 * same ids.
 */
export async function deliverWebhook(name: WebhookName, limits: DeliveryLimits): Promise<boolean> {
  const lease = newLease(createRequestToken());
  const state = await takeWebhookLease(name, lease);
  return state === undefined ? false : new Deliverer(name, lease.token, limits).run(state);
}

function newLease(token: string): WebhookLease {
  return { token, until: new Date(now().getTime() + leaseMilliseconds) };
}

class Deliverer {
  readonly #name: WebhookName;
  readonly #token: string;
  readonly #limits: DeliveryLimits;

  constructor({ appId, webhookId }: WebhookName, token: string, limits: DeliveryLimits) {
    this.#name = { appId, webhookId };
    this.#token = token;
    this.#limits = limits;
  }

  async run(first: WebhookDelivery): Promise<boolean> {
    let state = first;
    for (;;) {
      const round = await this.#round(state);
      if (round === undefined) return false;
      state = round.state;
      const isLate = now().getTime() + reserveMilliseconds > this.#limits.endsAt;
      if (round.more && !isLate) continue;
      const waits = shortWaitOf(state);
      if (waits !== undefined && !isLate) {
        await pause(waits);
        continue;
      }
      const released = await releaseWebhookLease(this.#name, state.wakes, newLease(this.#token));
      // A retry that is due soon is left to the schedule.
      if (released) return isLate && round.more;
      const [again] = await readWebhookStates([this.#name]);
      if (again?.leaseToken !== this.#token) return false;
      state = again;
    }
  }

  /** Reads, delivers and saves; undefined if the webhook is gone, or another function has the lease. */
  async #round(read: WebhookDelivery) {
    const application = await this.#application();
    const webhook = application && webhookOf(application, this.#name.webhookId);
    if (webhook === undefined) return undefined;
    const state = await this.#answerRequests(webhook, read);
    const round = webhook.enabled ? await this.#deliver(webhook, state) : { state, more: false, offReason: undefined };
    const { offReason } = round;
    const { cursor, lanes, lastError, lastDeliveredAt } = round.state;
    const saved = { cursor, lanes, lastError, lastDeliveredAt };
    if (!(await saveWebhookProgress(this.#name, saved, newLease(this.#token)))) return undefined;
    if (offReason !== undefined) await this.#turnOff(webhook, offReason);
    return { state: { ...round.state, retryNow: false }, more: round.more && offReason === undefined };
  }

  async #application(): Promise<Application | undefined> {
    const found = await readApplicationItem(this.#name.appId);
    return found === undefined || found.deleted ? undefined : found.application;
  }

  async #deliver(webhook: Webhook, state: WebhookDelivery) {
    const at = now();
    const page = hasRoom(state.lanes) ? await this.#readPage(state) : undefined;
    const wanted = page?.changes.filter(({ action }) => webhook.events === null || isIn(webhook.events, action)) ?? [];
    const lanes = addToLanes(state.retryNow ? dueNow(state.lanes, at) : state.lanes, wanted, at);
    const due = lanes.filter((lane) => isDue(lane, at));
    const end = at.getTime() + roundMilliseconds;
    const done = await mapConcurrently(due, (lane) => this.#deliverLane(webhook, lane, end));
    const left = [...lanes.filter((lane) => !due.includes(lane)), ...done.flatMap(({ lane }) => lane ?? [])];
    const offReason = done.find((one) => one.offReason !== undefined)?.offReason;
    const errors = done.flatMap(({ error }) => error ?? []);
    const lastDeliveredAt =
      done
        .flatMap((one) => one.deliveredAt ?? [])
        .sort()
        .at(-1) ?? state.lastDeliveredAt;
    const isFailing = left.some(({ failures }) => failures > 0);
    const lastError = errors.at(-1) ?? (isFailing ? state.lastError : null);
    const next = { ...state, lanes: left, lastError, lastDeliveredAt, cursor: page?.cursor ?? state.cursor };
    const isCut = done.some(({ lane }) => lane !== undefined && lane.failures === 0);
    const mayHaveMore = page === undefined || page.more || wanted.length > 0;
    return { state: next, more: (mayHaveMore && hasRoom(left)) || isCut, offReason };
  }

  /** The next changes. If the feed no longer has the position, the oldest that it has. */
  async #readPage({ cursor }: WebhookDelivery) {
    const { appId } = this.#name;
    const read = async (positions: Positions) => {
      const page = await readChangesById(appId, positions, pageSize);
      return { ...page, cursor: encodeFeedCursor(appId, { feeds: page.positions, pendingAfter: undefined }) };
    };
    try {
      return await read(decodeFeedCursor(appId, cursor).feeds);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'cursor_expired') throw error;
      log.error('Changes expired before a webhook delivered them', { ...this.#name });
      return read([undefined, undefined]);
    }
  }

  /** Delivers the events of one user in their order, up to the first that fails. */
  async #deliverLane(webhook: Webhook, first: Lane, end: number): Promise<LaneResult> {
    let result: LaneResult = { lane: first };
    while (result.lane?.events[0] !== undefined && result.error === undefined && now().getTime() < end) {
      const { deliveredAt } = result;
      result = { deliveredAt, ...(await this.#deliverFirst(webhook, result.lane, result.lane.events[0])) };
    }
    return result;
  }

  async #deliverFirst(webhook: Webhook, lane: Lane, event: LaneEvent): Promise<LaneResult> {
    const { judgement, record } = await this.#attempt(webhook, event);
    const at = now();
    const result = afterAttempt(lane, judgement, at);
    if (record === undefined) return result;
    const isRetried = judgement.kind === 'failed' && result.offReason === undefined;
    const nextAttemptAt = isRetried ? (result.lane?.nextAttemptAt ?? null) : null;
    await putWebhookAttempt(this.#name, { ...record, outcome: outcomeOf(judgement.kind), nextAttemptAt });
    return judgement.kind === 'delivered' ? { ...result, deliveredAt: at.toISOString() } : result;
  }

  /** A change of a user who was erased is gone, and is not delivered. */
  async #attempt(webhook: Webhook, event: LaneEvent): Promise<Attempted> {
    const message = await this.#messageOf(event);
    if (message === undefined) return { judgement: { kind: 'delivered' }, record: undefined };
    if (message === 'unverified') return unverified(event);
    return sendEvent(this.#name, webhook, message);
  }

  async #messageOf({ feed, ...event }: LaneEvent): Promise<WebhookMessage | 'unverified' | undefined> {
    const changes = await readFeedChanges([{ ...event, feed }]);
    // One receiver must not learn where another one listens.
    const reader = { appId: this.#name.appId, readsWebhookUrls: false };
    const [change] = await signForApplication(changes, reader);
    if (change === undefined) return undefined;
    if (change.signature === undefined) return 'unverified';
    return { id: change.id, type: change.action, timestamp: change.at, change };
  }

  /** Sends what operators asked for, once each. */
  async #answerRequests(webhook: Webhook, state: WebhookDelivery): Promise<WebhookDelivery> {
    let next = state;
    for (const request of await readWebhookRequests(this.#name)) {
      if (request.kind === 'since') next = { ...next, cursor: request.cursor };
      else await this.#sendOnce(webhook, request);
      await deleteWebhookRequest(this.#name, request);
    }
    return next;
  }

  async #sendOnce(webhook: Webhook, request: Exclude<WebhookRequest, { kind: 'since' }>): Promise<void> {
    const { judgement, record } =
      request.kind === 'test'
        ? await sendEvent(this.#name, webhook, testMessage(now()))
        : await this.#attempt(webhook, requestedEvent(request));
    const outcome = judgement.kind === 'delivered' ? 'delivered' : 'refused';
    if (record !== undefined) await putWebhookAttempt(this.#name, { ...record, outcome, nextAttemptAt: null });
  }

  async #turnOff({ updatedAt: seenSince }: Webhook, offReason: 'failing' | 'gone'): Promise<void> {
    const { requestId } = this.#limits;
    log.warn('A webhook turned itself off', { ...this.#name, offReason });
    await turnOffWebhook(
      { ...this.#name, offReason, seenSince },
      { caller: { kind: 'service' }, requestId, sourceIp: '' },
    );
    publishMetrics({ WebhooksTurnedOff: 1 });
  }
}

interface LaneResult {
  readonly lane: Lane | undefined;
  readonly deliveredAt?: string | undefined;
  readonly error?: string | undefined;
  readonly offReason?: 'failing' | 'gone' | undefined;
}

function afterAttempt(lane: Lane, judgement: Judgement, at: Date): LaneResult {
  if (judgement.kind === 'gone') return { lane, error: judgement.error, offReason: 'gone' };
  if (judgement.kind !== 'failed') return { lane: withoutFirst(lane, at) };
  const next = afterFailure(lane, at, judgement.retryAfterSeconds);
  return { lane: next, error: judgement.error, offReason: isHopeless(next, at) ? 'failing' : undefined };
}

function isIn(events: readonly string[], action: string): boolean {
  return events.includes(action);
}

function dueNow(lanes: readonly Lane[], at: Date): Lane[] {
  // Without this a webhook that was turned on again after three days would turn itself off at its next failure.
  return lanes.map((lane) => ({ ...lane, failures: 0, since: null, nextAttemptAt: at.toISOString() }));
}

/** How long until the next retry, if that is soon. What waits for a number is woken when it gets one. */
function shortWaitOf({ lanes }: WebhookDelivery): number | undefined {
  const retried = lanes.filter(({ failures }) => failures > 0);
  const next = Math.min(...retried.map(({ nextAttemptAt }) => Date.parse(nextAttemptAt)));
  const milliseconds = next - now().getTime();
  return milliseconds <= shortPauseMilliseconds ? Math.max(milliseconds, 100) : undefined;
}

function outcomeOf(kind: Attempted['judgement']['kind']): AttemptOutcome {
  return kind === 'gone' ? 'failed' : kind;
}

/** Nothing that somebody else may have written into the table is passed on. */
function unverified({ id: eventId, action: type }: LaneEvent): Attempted {
  const error = 'the change cannot be verified';
  const record = { at: now().toISOString(), eventId, type, status: null, error, durationMilliseconds: 0 };
  return { judgement: { kind: 'refused', error }, record };
}

function requestedEvent({
  change: { appId, userId, ...change },
}: Extract<WebhookRequest, { kind: 'resend' }>): LaneEvent {
  const feed = (appId ?? usersFeed) as LaneEvent['feed'];
  return { ...change, ...(userId !== undefined && { userId: userId as NonNullable<LaneEvent['userId']> }), feed };
}
