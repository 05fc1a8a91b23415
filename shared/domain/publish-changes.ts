import {
  changeEventSource,
  publisherEventSource,
  type UnpublishableChange,
  unpublishableDetailType,
} from '#shared/contract/change-event.ts';
import { now, pause } from '#shared/core/clock.ts';
import { jitter } from '#shared/core/ids.ts';
import { log } from '#shared/core/log.ts';
import { publishMetrics } from '#shared/core/metrics.ts';
import {
  type BusEvent,
  type BusOutcome,
  maxBytesPerCall,
  maxEventsPerCall,
  putEvents,
  sizeOf,
} from '#shared/events/event-bus.ts';
import { changeOfRecord, keyOf, type StreamRecord, sequenceNumberOf } from '#shared/table/stream-record.ts';

/** Calls for one group of events, the first among them. */
const maxCalls = 4;

/** A record of the stream and the event that is made of it. */
interface Parcel {
  readonly record: StreamRecord;
  readonly event: BusEvent;
}

/**
 * Puts the Changes of a batch on the event bus, in the stream's order and each at least once. Answers the sequence number
 * from which the batch must be read again, undefined when all are through. A record that can never be published does not
 * hold up what follows: a notice that names it takes its place, and goes to the dead-letter queue.
 */
export async function publishChanges(records: readonly StreamRecord[]): Promise<string | undefined> {
  for (const group of groupsOf(records.map(parcelOf))) {
    const stuck = await publishGroup(group);
    // What follows is read again too, so that it need not be tried now.
    if (stuck !== undefined) return sequenceNumberOf(stuck.record);
  }
  return undefined;
}

function parcelOf(record: StreamRecord): Parcel {
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

function setAside(record: StreamRecord, reason: string): Parcel {
  const { pk = null, sk = null } = keyOf(record);
  const notice: UnpublishableChange = { pk, sk, sequenceNumber: sequenceNumberOf(record), reason };
  // The partition key names the user, whose id may be an e-mail address.
  publishMetrics({ ChangesUnpublishable: 1 });
  log.error('A change cannot be published', { sk, sequenceNumber: notice.sequenceNumber, reason });
  const detail = JSON.stringify(notice);
  return { record, event: { source: publisherEventSource, detailType: unpublishableDetailType, time: now(), detail } };
}

/** As many at a time as one call takes. */
function groupsOf(parcels: readonly Parcel[]): Parcel[][] {
  const groups: Parcel[][] = [];
  let bytes = 0;
  for (const parcel of parcels) {
    const group = groups.at(-1);
    const size = sizeOf(parcel.event);
    const fits = group !== undefined && group.length < maxEventsPerCall && bytes + size <= maxBytesPerCall;
    if (fits) group.push(parcel);
    else groups.push([parcel]);
    bytes = fits ? bytes + size : size;
  }
  return groups;
}

/** Repeats only what the bus did not take; answers the first that it still does not. */
async function publishGroup(group: readonly Parcel[]): Promise<Parcel | undefined> {
  let waiting = group;
  for (let call = 1; call <= maxCalls; call++) {
    if (call > 1) await pause(jitter(50 * 2 ** call));
    const outcomes = await putEvents(waiting.map(({ event }) => event)).catch(postponedAll(waiting));
    if (outcomes === undefined) break;
    countPublished(waiting.filter((_, index) => outcomes[index]?.kind === 'accepted'));
    waiting = waiting.flatMap((parcel, index) => stillToPublish(parcel, outcomes[index]));
    if (waiting.length === 0) return undefined;
  }
  return waiting[0];
}

function countPublished(parcels: readonly Parcel[]): void {
  const changes = parcels.filter(({ event }) => event.source === changeEventSource);
  if (changes.length === 0) return;
  const at = now().getTime();
  const lags = changes.map(({ event }) => Math.max(0, at - event.time.getTime()));
  publishMetrics({ ChangesPublished: changes.length, PublishLagMilliseconds: lags });
}

/** The SDK has repeated a call that failed as a whole already. */
function postponedAll(waiting: readonly Parcel[]) {
  return (error: Error): undefined => {
    publishMetrics({ ChangesPostponed: waiting.length });
    log.error('The event bus did not answer', { waiting: waiting.length, error });
  };
}

function stillToPublish(parcel: Parcel, outcome: BusOutcome | undefined): Parcel[] {
  if (outcome?.kind === 'accepted') return [];
  const isNotice = parcel.event.source === publisherEventSource;
  if (outcome?.kind === 'refused' && !isNotice) return [setAside(parcel.record, outcome.reason)];
  publishMetrics({ ChangesPostponed: 1 });
  log.warn('The event bus postponed a change', { sk: keyOf(parcel.record).sk, reason: outcome?.reason });
  return [parcel];
}
