import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { eventBusName } from '#shared/core/config.ts';

/** An event to put on the bus. */
export interface BusEvent {
  readonly source: string;
  readonly detailType: string;
  /** When it happened. */
  readonly time: Date;
  /** JSON. */
  readonly detail: string;
}

/** Outcome for one event: published, to be retried, or refused permanently. */
export type BusOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'postponed' | 'refused'; readonly reason: string };

/** Limits of one call (EventBridge user guide, "Sending events with PutEvents"). */
export const maxEventsPerCall = 10;
export const maxBytesPerCall = 256 * 1024;

/** The error codes caused by the event itself; all others are transient (EventBridge API reference, PutEventsResultEntry). */
const permanentErrors = new Set(['InvalidArgument', 'MalformedDetail']);

/** Read at cold start: a missing variable must fail the function rather than look like a bus that does not respond. */
const busName = eventBusName();

const eventBridge = new EventBridgeClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
});

/** Puts events on the bus in one call and returns the outcome of each; throws when the call as a whole failed. */
export async function putEvents(events: readonly BusEvent[]): Promise<BusOutcome[]> {
  const { Entries = [] } = await eventBridge.send(new PutEventsCommand({ Entries: events.map(entryOf) }));
  return events.map((_, index) => outcomeOf(Entries[index]));
}

/** The size of an event against the limit: 14 bytes for its time, plus its texts in UTF-8. */
export function sizeOf({ source, detailType, detail }: BusEvent): number {
  return 14 + Buffer.byteLength(source) + Buffer.byteLength(detailType) + Buffer.byteLength(detail);
}

function entryOf({ source, detailType, time, detail }: BusEvent): PutEventsRequestEntry {
  return {
    EventBusName: busName,
    Source: source,
    DetailType: detailType,
    Time: time,
    Detail: detail,
  };
}

function outcomeOf(entry: PutEventsResultEntry | undefined): BusOutcome {
  if (entry?.EventId !== undefined) return { kind: 'accepted' };
  const reason = entry?.ErrorCode ?? 'no answer';
  return { kind: permanentErrors.has(reason) ? 'refused' : 'postponed', reason };
}
