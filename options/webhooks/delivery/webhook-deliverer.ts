import type { WebhookName } from '#shared/contract/fields.ts';
import { now, pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createRequestToken } from '#shared/core/ids.ts';
import { log } from '#shared/core/telemetry.ts';
import { readChangesById } from '#shared/domain/history/changes-by-id.ts';
import type { Positions } from '#shared/domain/history/read-feed.ts';
import { readApplicationItem } from '#shared/table/items/application-item.ts';
import { decodeFeedCursor, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
import {
  deleteWebhookRequest,
  putWebhookAttempt,
  readWebhookRequests,
  type WebhookRequest,
} from '../table/webhook-attempt-item.ts';
import { type Webhook, webhookOf } from '../table/webhook-item.ts';
import {
  noteTurnOff,
  readWebhookStates,
  releaseWebhookLease,
  saveWebhookProgress,
  takeWebhookLease,
  type WebhookDelivery,
  type WebhookLease,
} from '../table/webhook-state-item.ts';
import { hasRoom } from './delivery-lanes.ts';
import { sendChange, sendRequested } from './find-message.ts';
import { ReceiverProgress } from './receiver-progress.ts';
import { Slots } from './slots.ts';
import { WaitingLanes } from './waiting-lanes.ts';

/** How long attempts are begun before further changes are read: so long a user waits for others at most. */
const turnMilliseconds = 1000;
/** Progress is saved when nothing is in flight, and otherwise this often. */
const saveMilliseconds = 5000;
/** Meanwhile nobody else delivers. */
const leaseMilliseconds = 60_000;
/** What the last attempts and the end need. */
const reserveMilliseconds = 15_000;
/** A retry that is due so soon is waited for. */
const shortPauseMilliseconds = 10_000;
const pageSize = 50;
/** So many posts to a receiver are in flight at once, and so many before another retry begins. */
const maxInFlight = 20;
const maxBeforeRetry = 10;

export interface DeliveryLimits {
  /** When the function must have ended, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/**
 * Delivers to a webhook until nothing is left, or time is up: true if so. One function at a time does; another one only makes it
 * look again. What it has delivered is saved every few seconds, so a function that is killed repeats what it did since, with the
 * same ids.
 */
export async function deliverWebhook(name: WebhookName, limits: DeliveryLimits): Promise<boolean> {
  const { appId, webhookId } = name;
  const lease = newLease(createRequestToken());
  const state = await takeWebhookLease({ appId, webhookId }, lease);
  if (state === undefined) return false;
  return new Deliverer(state, await WaitingLanes.read(state), lease, limits).run();
}

function newLease(token: string): WebhookLease {
  return { token, until: new Date(now().getTime() + leaseMilliseconds) };
}

class Deliverer {
  readonly #name: WebhookName;
  readonly #token: string;
  readonly #limits: DeliveryLimits;
  readonly #lanes: WaitingLanes;
  readonly #progress: ReceiverProgress;
  readonly #slots = new Slots();
  /** No attempt begins after this time, nor after that of the lease. */
  readonly #stopsAt: number;
  #leasedUntil: number;
  #state: WebhookDelivery;
  #savedAt = now().getTime();
  /** Requests that have moved the cursor, which is not saved yet. */
  readonly #moved: WebhookRequest[] = [];

  constructor(state: WebhookDelivery, lanes: WaitingLanes, lease: WebhookLease, limits: DeliveryLimits) {
    const { appId, webhookId } = state;
    this.#name = { appId, webhookId };
    this.#state = state;
    this.#lanes = lanes;
    this.#progress = new ReceiverProgress(state, lanes);
    this.#token = lease.token;
    this.#leasedUntil = lease.until.getTime();
    this.#limits = limits;
    this.#stopsAt = Math.max(limits.endsAt - reserveMilliseconds, now().getTime() + turnMilliseconds);
  }

  async run(): Promise<boolean> {
    try {
      return await this.#deliverAll();
    } finally {
      // Nothing is sent after a function has ended.
      await this.#slots.waitForAll().catch(() => undefined);
    }
  }

  async #deliverAll(): Promise<boolean> {
    for (;;) {
      const round = await this.#round();
      if (round === undefined) return false;
      const { more, isLate } = round;
      if (!isLate && (more || (await this.#waitShortly()))) continue;
      const released = await releaseWebhookLease(this.#name, this.#state.wakes, newLease(this.#token));
      // A retry that is due soon is left to the schedule.
      if (released) return isLate && more;
      const [again] = await readWebhookStates([this.#name]);
      if (again?.leaseToken !== this.#token) return false;
      this.#state = { ...this.#state, wakes: again.wakes };
    }
  }

  /** Delivers and saves; undefined if the webhook is gone, or another function has the lease. */
  async #round() {
    const webhook = await this.#readWebhook();
    if (webhook === undefined) return undefined;
    const more = await this.#turn(webhook);
    const isLate = now().getTime() + reserveMilliseconds >= this.#limits.endsAt;
    if (!more || isLate) await this.#slots.waitForAll();
    if (this.#mustSave() && !(await this.#save())) return undefined;
    await this.#noteIfFailing(webhook);
    return { more, isLate };
  }

  /** Undefined if the webhook is gone. */
  async #readWebhook(): Promise<Webhook | undefined> {
    const found = await readApplicationItem(this.#name.appId);
    if (found === undefined || found.deleted) return undefined;
    const webhook = webhookOf(found.application, this.#name.webhookId);
    if (webhook !== undefined) this.#progress.webhook = webhook;
    return webhook;
  }

  /** Reads further changes, and begins attempts until nothing is due or the time of a turn is over: whether there is more to do. */
  async #turn(webhook: Webhook): Promise<boolean> {
    const endsAt = now().getTime() + turnMilliseconds;
    await this.#startRequests();
    const hasRead = this.#progress.isSending && hasRoom(this.#lanes.all) && (await this.#readChanges(webhook));
    this.#startProbe();
    do {
      this.#startDue();
      if (this.#slots.count > 0) await this.#slots.waitForOne(Math.max(endsAt - now().getTime(), 1));
    } while (this.#slots.count > 0 && now().getTime() < endsAt);
    return hasRead || this.#slots.count > 0 || this.#due().length > 0;
  }

  /** Puts the next changes into their lanes: whether there were any, or may be more. */
  async #readChanges({ events }: Webhook): Promise<boolean> {
    const page = await this.#readPage();
    const wanted = page.changes.filter(({ action }) => events === null || isIn(events, action));
    this.#lanes.add(wanted, this.#progress.receiver);
    this.#state = { ...this.#state, cursor: page.cursor };
    return page.more || wanted.length > 0;
  }

  /** The next changes. If the feed no longer has the position, the oldest that it has. */
  async #readPage() {
    const { appId } = this.#name;
    const read = async (positions: Positions) => {
      const page = await readChangesById(appId, positions, pageSize);
      return { ...page, cursor: encodeFeedCursor(appId, { feeds: page.positions, pendingAfter: undefined }) };
    };
    try {
      return await read(decodeFeedCursor(appId, this.#state.cursor).feeds);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'cursor_expired') throw error;
      log.error('Changes expired before a webhook delivered them', { ...this.#name });
      return read([undefined, undefined]);
    }
  }

  get #hasTime(): boolean {
    return now().getTime() < Math.min(this.#stopsAt, this.#leasedUntil);
  }

  #due() {
    const { isSending, receiver } = this.#progress;
    if (!isSending) return [];
    return this.#lanes.due(receiver).filter(({ subject }) => !this.#slots.has(laneSlot(subject)));
  }

  #startDue(): void {
    for (const { subject, attemptedAt } of this.#due()) {
      if (!this.#hasTime || this.#slots.count >= (attemptedAt === null ? maxInFlight : maxBeforeRetry)) return;
      this.#startLane(subject);
    }
  }

  /** A receiver that accepts nothing is tried with one event, so that the others need not wait for their time. */
  #startProbe(): void {
    const { isSending, isDown } = this.#progress;
    if (!isSending || !isDown || !this.#hasTime || this.#slots.count > 0 || this.#due().length > 0) return;
    const lane = this.#lanes.toProbe();
    if (lane !== undefined) this.#startLane(lane.subject);
  }

  #startLane(subject: string): void {
    this.#slots.start(laneSlot(subject), () => this.#deliverLane(subject));
  }

  /** Delivers the events of one user in their order, up to the first that fails. */
  async #deliverLane(subject: string): Promise<void> {
    let goesOn = true;
    while (goesOn) {
      const { webhook, isSending } = this.#progress;
      const event = this.#lanes.get(subject)?.events[0];
      if (event === undefined || !isSending || !this.#hasTime) return;
      const { judgement, record } = await sendChange(this.#name, webhook, event);
      const { outcome, nextAttemptAt } = this.#progress.take(subject, event, judgement, record?.status ?? null);
      if (record !== undefined) await putWebhookAttempt(this.#name, { ...record, outcome, nextAttemptAt });
      goesOn = outcome !== 'failed';
    }
  }

  /** Begins to send what operators asked for, once each. */
  async #startRequests(): Promise<void> {
    for (const request of await readWebhookRequests(this.#name)) {
      if (this.#slots.count >= maxInFlight || !this.#hasTime) return;
      if (request.kind !== 'since') this.#startRequest(request);
      else if (!this.#moved.some(({ id }) => id === request.id)) {
        this.#state = { ...this.#state, cursor: request.cursor };
        this.#moved.push(request);
      }
    }
  }

  #startRequest(request: Exclude<WebhookRequest, { kind: 'since' }>): void {
    const slot = `request ${request.id}`;
    if (this.#slots.has(slot)) return;
    this.#slots.start(slot, async () => {
      const { judgement, record } = await sendRequested(this.#name, this.#progress.webhook, request);
      const outcome = judgement.kind === 'delivered' ? 'delivered' : 'refused';
      if (outcome === 'delivered' && record !== undefined) this.#progress.accept({ asRequested: true });
      if (record !== undefined) await putWebhookAttempt(this.#name, { ...record, outcome, nextAttemptAt: null });
      await deleteWebhookRequest(this.#name, request);
    });
  }

  #mustSave(): boolean {
    return this.#slots.count === 0 || now().getTime() - this.#savedAt >= saveMilliseconds;
  }

  /** False if another function has the lease. */
  async #save(): Promise<boolean> {
    const { entries, saved } = this.#lanes.changes();
    const { cursor } = this.#state;
    const progress = { cursor, ...this.#progress.saved };
    const lease = newLease(this.#token);
    const hasLease = await saveWebhookProgress(this.#name, progress, entries, lease);
    this.#leasedUntil = hasLease ? lease.until.getTime() : 0;
    if (!hasLease) return false;
    saved();
    this.#savedAt = now().getTime();
    for (const request of this.#moved.splice(0)) await deleteWebhookRequest(this.#name, request);
    return true;
  }

  /** Once what is in flight has ended. Another function turns the webhook off: this one must not write applications. */
  async #noteIfFailing({ updatedAt: seenSince }: Webhook): Promise<void> {
    const { offReason: reason } = this.#progress;
    if (reason === undefined || this.#slots.count > 0) return;
    await noteTurnOff(this.#name, { reason, seenSince }, { token: this.#token });
  }

  /** Waits for the next retry, if that is soon. What waits for a number is woken when it gets one. */
  async #waitShortly(): Promise<boolean> {
    const nextAttemptAt = this.#lanes.nextAttemptAt();
    if (nextAttemptAt === undefined || !this.#progress.isSending) return false;
    const milliseconds = Date.parse(nextAttemptAt) - now().getTime();
    if (milliseconds > shortPauseMilliseconds) return false;
    await pause(Math.max(milliseconds, 100));
    return true;
  }
}

const laneSlot = (subject: string) => `lane ${subject}`;

function isIn(events: readonly string[], action: string): boolean {
  return events.includes(action);
}
