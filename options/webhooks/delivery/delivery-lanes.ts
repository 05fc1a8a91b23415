import { jitter } from '#shared/core/clock.ts';
import type { FoundChange } from '#shared/domain/history/read-feed.ts';
import type { Lane, LaneEvent } from '../table/lane-item.ts';

/** As many users may wait before no further changes are read. */
const maxLanes = 2000;
/** As many changes of one user may wait; a page comes on top. They are stored in one item. */
const maxEventsPerLane = 2000;
/** After so many failures of an event while others are accepted, the reason is the event, not the receiver. */
const maxIsolatedFailures = 3;
/** While a receiver accepts nothing, one event is tried this often, whatever its pause. */
const probeMilliseconds = 60_000;

/** What the attempts so far say of a receiver. */
export interface ReceiverState {
  /** How many deliveries it has accepted. */
  readonly accepted: number;
  /** The version of the webhook: whatever is changed of it is a reason to try everything again. */
  readonly version: number;
}

/** Whether further changes may be read: otherwise a receiver that accepts nothing would fill the table. */
export function hasRoom(lanes: ReadonlyMap<string, Lane>): boolean {
  return lanes.size < maxLanes && [...lanes.values()].every(({ events }) => events.length < maxEventsPerLane);
}

/** The lane of a user with another change, in the order of ids, which is that in which the user changed. */
export function withEvent(
  lane: Lane | undefined,
  { id, action, userId, feed }: FoundChange,
  { accepted, version }: ReceiverState,
  at: Date,
): Lane {
  const event: LaneEvent = { id, action, ...(userId !== undefined && { userId }), feed };
  if (lane === undefined) return { ...unattempted(userId ?? '', at), events: [event], accepted, version };
  if (lane.events.some((known) => known.id === id)) return lane;
  return { ...lane, events: [...lane.events, event].toSorted((one, other) => (one.id < other.id ? -1 : 1)) };
}

function unattempted(subject: string, at: Date) {
  const never = { failures: 0, since: null, attemptedAt: null, isolatedFailures: 0 };
  return { subject, ...never, nextAttemptAt: at.toISOString() };
}

/** The lane after an event was delivered or given up; undefined if nothing is left. */
export function withoutEvent(lane: Lane, id: string, at: Date): Lane | undefined {
  const events = lane.events.filter((event) => event.id !== id);
  const { accepted, version } = lane;
  return events.length === 0 ? undefined : { ...unattempted(lane.subject, at), events, accepted, version };
}

/**
 * Whether the first event of a lane is attempted now: at its time, or when the receiver has accepted something since the last
 * attempt, or when the webhook was changed.
 */
export function isDue(lane: Lane, { accepted, version }: ReceiverState, at: Date): boolean {
  if (lane.version !== version) return true;
  if (mustWait(lane, at)) return false;
  return lane.nextAttemptAt <= at.toISOString() || (isHopeful(lane) && lane.accepted < accepted);
}

/** The lane with which a receiver is tried that has accepted nothing for a while: the one that has waited longest, if any may be. */
export function laneToProbe(lanes: readonly Lane[], at: Date): Lane | undefined {
  const attempted = lanes.toSorted((one, other) => ((one.attemptedAt ?? '') < (other.attemptedAt ?? '') ? -1 : 1));
  const last = Date.parse(attempted.at(-1)?.attemptedAt ?? '');
  if (at.getTime() - last < probeMilliseconds) return undefined;
  return attempted.find((lane) => isHopeful(lane) && !mustWait(lane, at));
}

/** When a lane may be tried at the earliest while the receiver accepts nothing; undefined if only at its own time. */
export function nextProbeAt(lane: Lane, at: Date): string | undefined {
  const next = new Date(at.getTime() + probeMilliseconds).toISOString();
  return isHopeful(lane) && !mustWait(lane, new Date(next)) ? next : undefined;
}

function mustWait({ notBefore = '' }: Lane, at: Date): boolean {
  return notBefore > at.toISOString();
}

function isHopeful({ isolatedFailures }: Lane): boolean {
  return isolatedFailures < maxIsolatedFailures;
}

/** The lane, to be tried again as soon as the receiver accepts something. */
export function withHope(lane: Lane): Lane {
  return isHopeful(lane) ? lane : { ...lane, isolatedFailures: 0 };
}

/** The pauses after each failure: with the first attempt, the example of Standard Webhooks 1.0.0, over three days. */
const pausesSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** How long an event is tried before it is given up, and a webhook before it turns itself off. */
export const patienceSeconds = 3 * 86_400;

/**
 * The lane after a failure of its first event, and when it is attempted again, spread by up to a tenth. An attempt before its time
 * leaves that time as it was, unless the receiver asked for a later one.
 */
export function afterFailure(
  failed: Lane,
  { accepted, version }: ReceiverState,
  at: Date,
  retryAfterSeconds: number,
): Lane {
  const { notBefore: _, ...lane } =
    failed.version === version ? failed : { ...failed, ...unattempted(failed.subject, at) };
  const time = at.toISOString();
  const isIsolated = lane.failures > 0 && lane.accepted < accepted;
  const isEarly = lane.nextAttemptAt > time;
  const pause = isEarly ? 0 : (pausesSeconds[Math.min(lane.failures, pausesSeconds.length - 1)] ?? 0);
  const next = timeAfter(at, Math.max(pause, retryAfterSeconds));
  return {
    ...lane,
    accepted,
    version,
    failures: lane.failures + (isEarly ? 0 : 1),
    since: lane.since ?? time,
    nextAttemptAt: next > lane.nextAttemptAt ? next : lane.nextAttemptAt,
    attemptedAt: time,
    isolatedFailures: lane.isolatedFailures + (isIsolated ? 1 : 0),
    ...(retryAfterSeconds > 0 && { notBefore: new Date(at.getTime() + retryAfterSeconds * 1000).toISOString() }),
  };
}

function timeAfter(at: Date, seconds: number): string {
  const milliseconds = seconds * 1000;
  return new Date(at.getTime() + milliseconds + jitter(Math.floor(milliseconds / 10))).toISOString();
}

/** Whether something has failed for as long as the service is patient. */
export function isHopeless(since: string | null, at: Date): boolean {
  return since !== null && at.getTime() - Date.parse(since) >= patienceSeconds * 1000;
}
