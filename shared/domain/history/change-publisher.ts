import {
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
import { changeOfRecord, keyOfRecord, type StreamRecord, sequenceNumberOf } from '#shared/table/items/change-item.ts';

/** Calls for one group of events, the first among them. */
const maxCalls = 4;

/** A record of the stream and the event that is made of it. */
interface PendingEvent {
  readonly record: StreamRecord;
  readonly event: BusEvent;
}

/**
 * Puts the Changes of a batch on the event bus, in the stream's order and each at least once. Answers the sequence number
 * from which the batch must be read again, undefined when all are through. A record that can never be published does not
 * hold up what follows: a notice that names it takes its place, and goes to the dead-letter queue.
 */
export async function publishChanges(records: readonly StreamRecord[]): Promise<string | undefined> {
  for (const group of groupsOf(records.map(pendingEventOf))) {
    const unpublished = await publishGroup(group);
    // What follows is read again too, so that it need not be tried now.
    if (unpublished !== undefined) return sequenceNumberOf(unpublished.record);
  }
  return undefined;
}

function pendingEventOf(record: StreamRecord): PendingEvent {
  try {
    const change = changeOfRecord(record);
    const event = {
      source: changeEventSource,
      detailType: change.action,
      time: new Date(change.at),
      detail: JSON.stringify(change),
    };
    return sizeOf(event) <= maxBytesPerCall ? { record, event } : setAside(record, 'too large for an event');
  } catch (error) {
    return setAside(record, String(error));
  }
}

function setAside(record: StreamRecord, reason: string): PendingEvent {
  const { pk = null, sk = null } = keyOfRecord(record);
  const notice: UnpublishableChange = { pk, sk, sequenceNumber: sequenceNumberOf(record), reason };
  // The partition key names the user, whose id may be an e-mail address.
  publishMetrics({ ChangesUnpublishable: 1 });
  log.error('A change cannot be published', { sk, sequenceNumber: notice.sequenceNumber, reason });
  const detail = JSON.stringify(notice);
  return { record, event: { source: publisherEventSource, detailType: unpublishableDetailType, time: now(), detail } };
}

/** Groups of as many events as one call takes. */
function groupsOf(pending: readonly PendingEvent[]): PendingEvent[][] {
  const groups: PendingEvent[][] = [];
  let bytes = 0;
  for (const one of pending) {
    const group = groups.at(-1);
    const size = sizeOf(one.event);
    const fits = group !== undefined && group.length < maxEventsPerCall && bytes + size <= maxBytesPerCall;
    if (fits) group.push(one);
    else groups.push([one]);
    bytes = fits ? bytes + size : size;
  }
  return groups;
}

/** Repeats only what the bus did not accept; answers the first event that it still did not. */
async function publishGroup(group: readonly PendingEvent[]): Promise<PendingEvent | undefined> {
  let remaining = group;
  for (let call = 1; call <= maxCalls; call++) {
    if (call > 1) await pause(jitter(50 * 2 ** call));
    const outcomes = await putEvents(remaining.map(({ event }) => event)).catch(postponedAll(remaining));
    if (outcomes === undefined) break;
    countPublished(remaining.filter((_, index) => outcomes[index]?.kind === 'accepted'));
    remaining = remaining.flatMap((pending, index) => stillToPublish(pending, outcomes[index]));
    if (remaining.length === 0) return undefined;
  }
  return remaining[0];
}

function countPublished(pending: readonly PendingEvent[]): void {
  const changes = pending.filter(({ event }) => event.source === changeEventSource);
  if (changes.length === 0) return;
  const at = now().getTime();
  const lags = changes.map(({ event }) => Math.max(0, at - event.time.getTime()));
  publishMetrics({ ChangesPublished: changes.length, PublishLagMilliseconds: lags });
}

/** The SDK has repeated a call that failed as a whole already. */
function postponedAll(remaining: readonly PendingEvent[]) {
  return (error: Error): undefined => {
    publishMetrics({ ChangesPostponed: remaining.length });
    log.error('The event bus did not answer', { waiting: remaining.length, error });
  };
}

function stillToPublish(pending: PendingEvent, outcome: BusOutcome | undefined): PendingEvent[] {
  if (outcome?.kind === 'accepted') return [];
  const isNotice = pending.event.source === publisherEventSource;
  if (outcome?.kind === 'refused' && !isNotice) return [setAside(pending.record, outcome.reason)];
  publishMetrics({ ChangesPostponed: 1 });
  log.warn('The event bus postponed a change', { sk: keyOfRecord(pending.record).sk, reason: outcome?.reason });
  return [pending];
}
