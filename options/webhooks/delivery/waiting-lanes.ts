import { now } from '#shared/core/clock.ts';
import type { FoundChange } from '#shared/domain/history/read-feed.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import {
  deleteLaneEntry,
  type Lane,
  type LanesOf,
  parseOlderLanes,
  putLaneEntry,
  readLanes,
} from '../table/lane-item.ts';
import type { WebhookDelivery } from '../table/webhook-state-item.ts';
import {
  isDue,
  laneToProbe,
  nextProbeAt,
  type ReceiverState,
  withEvent,
  withHope,
  withoutEvent,
} from './delivery-lanes.ts';

/** What waits for a webhook, while one function delivers. Only lanes that differ from what is stored are written. */
export class WaitingLanes {
  readonly #name: LanesOf;
  readonly #lanes: Map<string, Lane>;
  #stored: ReadonlyMap<string, Lane>;

  private constructor(name: LanesOf, stored: readonly Lane[], unstored: readonly Lane[]) {
    this.#name = name;
    this.#stored = new Map(stored.map((lane) => [lane.subject, lane]));
    this.#lanes = new Map([...unstored, ...stored].map((lane) => [lane.subject, lane]));
  }

  static async read(state: WebhookDelivery): Promise<WaitingLanes> {
    const { appId, webhookId, deliveryId, waiting, lanes } = state;
    const name = { appId, webhookId, deliveryId };
    return new WaitingLanes(name, waiting === 0 ? [] : await readLanes(name), parseOlderLanes(lanes));
  }

  get all(): ReadonlyMap<string, Lane> {
    return this.#lanes;
  }

  get(subject: string): Lane | undefined {
    return this.#lanes.get(subject);
  }

  set(lane: Lane): void {
    this.#lanes.set(lane.subject, lane);
  }

  add(changes: readonly FoundChange[], receiver: ReceiverState): void {
    for (const change of changes) this.set(withEvent(this.get(change.userId ?? ''), change, receiver, now()));
  }

  /** What was delivered or given up waits no longer. */
  remove(subject: string, eventId: string): void {
    const lane = this.get(subject);
    const left = lane && withoutEvent(lane, eventId, now());
    if (left === undefined) this.#lanes.delete(subject);
    else this.set(left);
  }

  /** Those to attempt now, what was never attempted first. */
  due(receiver: ReceiverState): Lane[] {
    const at = now();
    const due = [...this.#lanes.values()].filter((lane) => isDue(lane, receiver, at));
    return due.toSorted((one, other) => Number(one.attemptedAt !== null) - Number(other.attemptedAt !== null));
  }

  /** The lane with which a receiver that accepts nothing is tried now, if any. */
  toProbe(): Lane | undefined {
    return laneToProbe([...this.#lanes.values()], now());
  }

  /** Makes every event due as soon as the receiver accepts something, also one that failed while others were accepted. */
  renewHope(): void {
    for (const lane of this.#lanes.values()) this.set(withHope(lane));
  }

  /** When the next lane is due, if nothing is accepted until then. */
  nextAttemptAt(isDown = false): string | undefined {
    const lanes = [...this.#lanes.values()];
    const probes = isDown ? lanes.flatMap((lane) => nextProbeAt(lane, now()) ?? []) : [];
    return [...lanes.map((lane) => lane.nextAttemptAt), ...probes].sort()[0];
  }

  get hasFailed(): boolean {
    return [...this.#lanes.values()].some(({ since }) => since !== null);
  }

  get summary(): Pick<WebhookDelivery, 'waiting' | 'failingSince' | 'oldestWaiting'> {
    const lanes = [...this.#lanes.values()];
    return {
      waiting: lanes.length,
      failingSince: lanes.flatMap(({ since }) => since ?? []).sort()[0] ?? null,
      oldestWaiting: lanes.flatMap(({ events }) => events[0]?.id ?? []).sort()[0] ?? null,
    };
  }

  /** What must be written, and what to call once it is. */
  changes(): { readonly entries: readonly TransactEntry[]; readonly saved: () => void } {
    const written = new Map(this.#lanes);
    const gone = [...this.#stored.keys()].filter((subject) => !written.has(subject));
    const changed = [...written.values()].filter((lane) => this.#stored.get(lane.subject) !== lane);
    const entries = [
      ...gone.map((subject) => deleteLaneEntry(this.#name, subject)),
      ...changed.map((lane) => putLaneEntry(this.#name, lane)),
    ];
    return { entries, saved: () => (this.#stored = written) };
  }
}
