import { jitter } from '#shared/core/clock.ts';
import type { FoundChange } from '#shared/domain/history/read-feed.ts';
import type { Lane, LaneEvent } from '../table/webhook-state-item.ts';

/** As many users may wait for a retry before no further changes are read; the lanes of one page come on top. */
const maxLanes = 50;
/** As many changes may wait in all; a page comes on top. They are stored in one item. */
const maxWaiting = 100;

/** Whether further changes may be read: otherwise a receiver that accepts nothing would fill the item. */
export function hasRoom(lanes: readonly Lane[]): boolean {
  const waiting = lanes.reduce((count, { events }) => count + events.length, 0);
  return lanes.length < maxLanes && waiting < maxWaiting;
}

/** Adds changes to the lanes of their users, each in the order of its ids, which is that in which the user changed. */
export function addToLanes(lanes: readonly Lane[], changes: readonly FoundChange[], at: Date): Lane[] {
  const bySubject = new Map(lanes.map((lane) => [lane.subject, lane]));
  for (const { id, action, userId, feed } of changes) {
    const subject = userId ?? '';
    const lane = bySubject.get(subject) ?? newLane(subject, at);
    if (lane.events.some((known) => known.id === id)) continue;
    const event: LaneEvent = { id, action, ...(userId !== undefined && { userId }), feed };
    bySubject.set(subject, withEvents(lane, [...lane.events, event]));
  }
  return [...bySubject.values()];
}

function newLane(subject: string, at: Date): Lane {
  return { subject, events: [], failures: 0, since: null, nextAttemptAt: at.toISOString() };
}

/** An event that becomes the first of its lane was not attempted yet. */
function withEvents(lane: Lane, events: readonly LaneEvent[]): Lane {
  const ordered = events.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { ...lane, events: ordered };
}

/** Whether a lane has something to deliver now. */
export function isDue({ events, nextAttemptAt }: Lane, at: Date): boolean {
  return events.length > 0 && nextAttemptAt <= at.toISOString();
}

/** The lane after its first events were delivered or given up; undefined if nothing is left. */
export function withoutFirst(lane: Lane, at: Date): Lane | undefined {
  const [, ...events] = lane.events;
  return events.length === 0 ? undefined : { ...newLane(lane.subject, at), events };
}

/** The pauses after each failure: with the first attempt, the example of Standard Webhooks 1.0.0, over three days. */
const pausesSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** How long a delivery is tried before its webhook turns itself off. */
export const patienceSeconds = 3 * 86_400;

/** The lane after a failure: when the first event is attempted again, spread by up to a tenth. */
export function afterFailure(lane: Lane, at: Date, retryAfterSeconds: number): Lane {
  const pause = pausesSeconds[Math.min(lane.failures, pausesSeconds.length - 1)] ?? 0;
  const milliseconds = Math.max(pause, retryAfterSeconds) * 1000;
  const nextAttemptAt = new Date(at.getTime() + milliseconds + jitter(Math.floor(milliseconds / 10))).toISOString();
  return { ...lane, failures: lane.failures + 1, since: lane.since ?? at.toISOString(), nextAttemptAt };
}

/** Whether a lane has failed for so long that its webhook gives up. */
export function isHopeless({ since }: Lane, at: Date): boolean {
  return since !== null && at.getTime() - Date.parse(since) >= patienceSeconds * 1000;
}
