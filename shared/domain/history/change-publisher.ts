import {
  type Change,
  changeEventSource,
  publisherEventSource,
  type UnpublishableChange,
  unpublishableDetailType,
} from '#shared/contract/change.ts';
import { jitter, now, pause } from '#shared/core/clock.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import {
  type BusEvent,
  type BusOutcome,
  maxBytesPerCall,
  maxEventsPerCall,
  putEvents,
  sizeOf,
} from '#shared/events/event-bridge.ts';
import { type Signed, signChange } from '#shared/integrity/change-signature.ts';
import { latestSigningKey } from '#shared/keys/signing-keys.ts';
import { changeOfRecord, keyOfRecord, type StreamRecord, sequenceNumberOf } from '#shared/table/items/change-item.ts';
import { verdictOn } from './verify-changes.ts';

/** While a release adds a root, a function that has it already may write before the publisher has it. */
const rootWaitSeconds = 900;

/** Attempts to publish one event, including the first. */
const maxCalls = 4;

/** A stream record and its event. */
interface PendingEvent {
  readonly record: StreamRecord;
  readonly event: BusEvent;
  /** The number of failed attempts. */
  readonly failures: number;
}

/**
 * Puts the Changes of a batch on the event bus, those of a user in the stream's order and each at least once. Returns the
 * sequence number from which the batch must be read again, undefined when all are done. A record that can never be
 * published, or that the service did not write, does not block later ones: it is replaced by a notice, which goes to the
 * dead-letter queue.
 */
export async function publishChanges(records: readonly StreamRecord[]): Promise<string | undefined> {
  const { pending, waiting } = await verified(records);
  let remaining = pending;
  while (remaining.length > 0) {
    const call = nextCall(remaining);
    const unpublished = await publish(call);
    remaining = remaining.flatMap((each) => unpublished.get(each) ?? each);
    // Later records will be read again too, so there is no need to try them now.
    if (remaining.some(({ failures }) => failures >= maxCalls)) break;
  }
  const next = remaining[0]?.record ?? waiting;
  return next && sequenceNumberOf(next);
}

interface VerifiedRecords {
  readonly pending: PendingEvent[];
  /** The first record that cannot be verified yet; later ones wait as well. */
  readonly waiting?: StreamRecord;
}

async function verified(records: readonly StreamRecord[]): Promise<VerifiedRecords> {
  const pending: PendingEvent[] = [];
  for (const record of records) {
    const event = await pendingEventOf(record);
    if (event === undefined) return { pending, waiting: record };
    pending.push(event);
  }
  return { pending };
}

/** Undefined if it cannot be verified yet. */
async function pendingEventOf(record: StreamRecord): Promise<PendingEvent | undefined> {
  try {
    const change = changeOfRecord(record);
    const [verdict, key] =
      (await Promise.all([verdictOn({ ...change }), latestSigningKey()]).catch(reportUnverified)) ?? [];
    if (verdict === undefined || key === undefined || (verdict === 'unknown-root' && isRecent(record)))
      return undefined;
    if (verdict !== 'unchanged') return noticeInstead(record, reasons[verdict]);
    const event = eventOf(signChange(change, key));
    if (sizeOf(event) > maxBytesPerCall) return noticeInstead(record, 'too large for an event');
    return { record, event, failures: 0 };
  } catch (error) {
    return noticeInstead(record, String(error));
  }
}

/** Why a record that the service did not write is not published. */
const reasons = {
  changed: 'its MAC does not match',
  'without-mac': 'it has no MAC',
  'unknown-root': 'the service does not have its root key',
} as const;

function eventOf(change: Signed<Change>): BusEvent {
  const { action: detailType, at } = change;
  return { source: changeEventSource, detailType, time: new Date(at), detail: JSON.stringify(change) };
}

function reportUnverified(error: unknown): undefined {
  log.error('Changes cannot be verified, and wait', { error });
}

function isRecent({ dynamodb }: StreamRecord): boolean {
  const { ApproximateCreationDateTime: createdAt = 0 } = dynamodb ?? {};
  return now().getTime() / 1000 - createdAt < rootWaitSeconds;
}

function noticeInstead(record: StreamRecord, reason: string, failures = 0): PendingEvent {
  const { pk = null, sk = null } = keyOfRecord(record);
  const notice: UnpublishableChange = { pk, sk, sequenceNumber: sequenceNumberOf(record), reason };
  // Not logged: the partition key, which contains the user id, which may be an e-mail address.
  publishMetrics({ ChangesUnpublishable: 1 });
  log.error('A change cannot be published', { sk, sequenceNumber: notice.sequenceNumber, reason });
  const detail = JSON.stringify(notice);
  const event = { source: publisherEventSource, detailType: unpublishableDetailType, time: now(), detail };
  return { record, event, failures };
}

/**
 * As many events as fit in one call, but at most one of each partition (a user or an application): the bus accepts
 * or refuses each event separately, so a second one could be published before the first.
 */
function nextCall(remaining: readonly PendingEvent[]): PendingEvent[] {
  const call: PendingEvent[] = [];
  const partitions = new Set<string | undefined>();
  let bytes = 0;
  for (const pending of remaining) {
    const { pk } = keyOfRecord(pending.record);
    const size = sizeOf(pending.event);
    const isFirst = !partitions.has(pk);
    partitions.add(pk);
    if (!isFirst || call.length >= maxEventsPerCall || bytes + size > maxBytesPerCall) continue;
    call.push(pending);
    bytes += size;
  }
  return call;
}

/**
 * Makes one call, after a backoff if it retries events. Returns what is left to publish of each event: nothing if it
 * succeeded.
 */
async function publish(call: readonly PendingEvent[]): Promise<ReadonlyMap<PendingEvent, PendingEvent[]>> {
  const failures = Math.max(...call.map((pending) => pending.failures));
  if (failures > 0) await pause(jitter(100 * 2 ** failures));
  const outcomes = await putEvents(call.map(({ event }) => event)).catch(postponeAll(call));
  if (outcomes === undefined) return new Map(call.map((pending) => [pending, [{ ...pending, failures: maxCalls }]]));
  countPublished(call.filter((_, index) => outcomes[index]?.kind === 'accepted'));
  return new Map(call.map((pending, index) => [pending, remainingEvents(pending, outcomes[index])]));
}

function countPublished(pending: readonly PendingEvent[]): void {
  const changes = pending.filter(({ event }) => event.source === changeEventSource);
  if (changes.length === 0) return;
  const at = now().getTime();
  const lags = changes.map(({ event }) => Math.max(0, at - event.time.getTime()));
  publishMetrics({ ChangesPublished: changes.length, PublishLagMilliseconds: lags });
}

/** The SDK has already retried a call that failed as a whole. */
function postponeAll(remaining: readonly PendingEvent[]) {
  return (error: Error): undefined => {
    publishMetrics({ ChangesPostponed: remaining.length });
    log.error('The event bus did not answer', { waiting: remaining.length, error });
  };
}

function remainingEvents(pending: PendingEvent, outcome: BusOutcome | undefined): PendingEvent[] {
  if (outcome?.kind === 'accepted') return [];
  const isNotice = pending.event.source === publisherEventSource;
  const failures = pending.failures + 1;
  if (outcome?.kind === 'refused' && !isNotice) return [noticeInstead(pending.record, outcome.reason, failures)];
  publishMetrics({ ChangesPostponed: 1 });
  log.warn('The event bus postponed a change', { sk: keyOfRecord(pending.record).sk, reason: outcome?.reason });
  return [{ ...pending, failures }];
}
