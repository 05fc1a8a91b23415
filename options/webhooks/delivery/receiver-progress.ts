import { now } from '#shared/core/clock.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import type { AttemptOutcome, WebhookOffReason } from '../contract/webhook.ts';
import type { LaneEvent } from '../table/lane-item.ts';
import type { Webhook } from '../table/webhook-item.ts';
import type { Progress, WebhookDelivery } from '../table/webhook-state-item.ts';
import { afterFailure, isHopeless, type ReceiverState } from './delivery-lanes.ts';
import type { Judgement } from './judge-answer.ts';
import type { WaitingLanes } from './waiting-lanes.ts';

/** What is recorded of an attempt beside what was sent. */
export interface Taken {
  readonly outcome: AttemptOutcome;
  readonly nextAttemptAt: string | null;
}

/** What the attempts say of a receiver: what it accepted, since when it accepts nothing, and what follows for what waits. */
export class ReceiverProgress {
  readonly #name: Pick<WebhookDelivery, 'appId' | 'webhookId'>;
  readonly #lanes: WaitingLanes;
  #webhook: Webhook | undefined;
  #offReason: WebhookOffReason | undefined;
  /** What an earlier delivery has noted, and nobody has followed yet. */
  readonly #noted: WebhookDelivery['turnOff'];
  #state: Pick<WebhookDelivery, 'accepted' | 'down' | 'lastError' | 'lastDeliveredAt'>;

  constructor(state: WebhookDelivery, lanes: WaitingLanes) {
    const { appId, webhookId, accepted, down, lastError, lastDeliveredAt, turnOff } = state;
    this.#name = { appId, webhookId };
    this.#noted = turnOff;
    this.#lanes = lanes;
    this.#state = { accepted, down, lastError, lastDeliveredAt };
  }

  get webhook(): Webhook {
    if (this.#webhook === undefined) throw new Error('The webhook was not read yet');
    return this.#webhook;
  }

  /** As it was read last. A change of the webhook gives it three days again. */
  set webhook(webhook: Webhook) {
    if (webhook.version !== this.#webhook?.version) {
      this.#offReason = this.#noted?.seenSince === webhook.updatedAt ? this.#noted.reason : undefined;
    }
    this.#webhook = webhook;
    if (this.#state.down?.version !== webhook.version) this.#state = { ...this.#state, down: null };
  }

  get receiver(): ReceiverState {
    return { accepted: this.#state.accepted, version: this.webhook.version };
  }

  get isSending(): boolean {
    return this.webhook.enabled && this.#offReason === undefined;
  }

  get isDown(): boolean {
    return this.#state.down !== null;
  }

  /** Why the webhook must be turned off. */
  get offReason(): WebhookOffReason | undefined {
    return this.#offReason;
  }

  get saved(): Omit<Progress, 'cursor'> {
    return { ...this.#state, ...this.#lanes.summary, nextAttemptAt: this.#lanes.nextAttemptAt(this.isDown) };
  }

  /** Takes the result of an attempt to deliver the first event of a lane. */
  take(subject: string, event: LaneEvent, judgement: Judgement, status: number | null): Taken {
    if (judgement.kind === 'failed') return this.#fail(subject, event, judgement);
    if (judgement.kind === 'gone') {
      this.#offReason = 'gone';
      this.#state = { ...this.#state, lastError: judgement.error };
      return { outcome: 'failed', nextAttemptAt: null };
    }
    this.#lanes.remove(subject, event.id);
    if (status !== null) this.accept({ asRequested: false, isDelivered: judgement.kind === 'delivered' });
    return { outcome: judgement.kind, nextAttemptAt: null };
  }

  /** The receiver has accepted something, so whatever waits may be accepted too. */
  accept({ asRequested, isDelivered = true }: { readonly asRequested: boolean; readonly isDelivered?: boolean }): void {
    if (asRequested) this.#lanes.renewHope();
    this.#state = {
      accepted: this.#state.accepted + 1,
      down: null,
      lastError: this.#lanes.hasFailed ? this.#state.lastError : null,
      lastDeliveredAt: isDelivered && !asRequested ? now().toISOString() : this.#state.lastDeliveredAt,
    };
  }

  #fail(subject: string, event: LaneEvent, { error, retryAfterSeconds }: Judgement & { kind: 'failed' }): Taken {
    const at = now();
    const { version } = this.webhook;
    const down = this.#state.down ?? { since: at.toISOString(), version };
    this.#state = { ...this.#state, down, lastError: error };
    const lane = this.#lanes.get(subject);
    if (lane === undefined) throw new Error('A lane ended while its first event was being delivered');
    const next = afterFailure(lane, this.receiver, at, retryAfterSeconds);
    if (isHopeless(down.since, at)) {
      this.#lanes.set(next);
      this.#offReason = 'failing';
      return { outcome: 'failed', nextAttemptAt: null };
    }
    if (!isHopeless(next.since, at)) {
      this.#lanes.set(next);
      return { outcome: 'failed', nextAttemptAt: next.nextAttemptAt };
    }
    this.#lanes.remove(subject, event.id);
    log.warn('A webhook gave an event up', { ...this.#name, eventId: event.id });
    publishMetrics({ WebhookEventsGivenUp: 1 });
    return { outcome: 'given_up', nextAttemptAt: null };
  }
}
