import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { publisherConfig } from '#shared/core/publisher-config.ts';

/** An event to put on the bus. */
export interface BusEvent {
  readonly source: string;
  readonly detailType: string;
  /** When it happened. */
  readonly time: Date;
  /** JSON. */
  readonly detail: string;
}

/** What became of one event: on the bus, not now, or never as it is. */
export type BusOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'postponed' | 'refused'; readonly reason: string };

/** Of one call (EventBridge user guide, "Sending events with PutEvents"). */
export const maxEventsPerCall = 10;
export const maxBytesPerCall = 256 * 1024;

/** The codes that lie in the event itself; every other one may pass (EventBridge API reference, PutEventsResultEntry). */
const refusals = new Set(['InvalidArgument', 'MalformedDetail']);

const eventBridge = new EventBridgeClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
});

/** Puts events on the bus in one call and answers what became of each; throws when the call as a whole failed. */
export async function putEvents(events: readonly BusEvent[]): Promise<BusOutcome[]> {
  const { Entries = [] } = await eventBridge.send(new PutEventsCommand({ Entries: events.map(entryOf) }));
  return events.map((_, index) => outcomeOf(Entries[index]));
}

/** What an event counts against the limit: 14 bytes for its time, and its texts in UTF-8. */
export function sizeOf({ source, detailType, detail }: BusEvent): number {
  return 14 + Buffer.byteLength(source) + Buffer.byteLength(detailType) + Buffer.byteLength(detail);
}

function entryOf({ source, detailType, time, detail }: BusEvent): PutEventsRequestEntry {
  return {
    EventBusName: publisherConfig.eventBusName,
    Source: source,
    DetailType: detailType,
    Time: time,
    Detail: detail,
  };
}

function outcomeOf(entry: PutEventsResultEntry | undefined): BusOutcome {
  if (entry?.EventId !== undefined) return { kind: 'accepted' };
  const reason = entry?.ErrorCode ?? 'no answer';
  return { kind: refusals.has(reason) ? 'refused' : 'postponed', reason };
}
