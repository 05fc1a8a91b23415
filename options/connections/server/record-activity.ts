import type { ConnectionId } from '#shared/contract/fields.ts';
import { now, pause } from '#shared/core/clock.ts';
import { log } from '#shared/core/telemetry.ts';
import { secondsPerDay } from '#shared/table/ttl.ts';
import { type ConnectionActivity, maxRefusals, type RefusedRequest } from '../contract/connection-activity.ts';
import {
  countDirectoryRequests,
  putRefusal,
  type RequestCounts,
  readHours,
  readRefusals,
} from '../table/activity-item.ts';
import { readExistingConnection } from '../table/connection-item.ts';

/** The last requests of a directory; 404 if there is no such connection. */
export async function getConnectionActivity({
  connectionId,
}: {
  readonly connectionId: ConnectionId;
}): Promise<ConnectionActivity> {
  await readExistingConnection(connectionId);
  const since = new Date(now().getTime() - secondsPerDay * 1000).toISOString();
  const [hours, refusals] = await Promise.all([
    readHours(connectionId, since),
    readRefusals(connectionId, maxRefusals),
  ]);
  return {
    lastRequestAt: hours.at(-1)?.lastRequestAt ?? null,
    requests: sum(hours, 'requests'),
    refused: sum(hours, 'refused'),
    refusals,
  };
}

function sum(hours: readonly RequestCounts[], name: keyof RequestCounts): number {
  return hours.reduce((total, hour) => total + hour[name], 0);
}

/** A request of a directory that was answered: all there is to say of a refused one. */
export type AnsweredRequest = Pick<RefusedRequest, 'method' | 'path' | 'status' | 'scimType' | 'detail'>;

/** How long a response may wait until its request is recorded. */
const recordTimeoutMilliseconds = 100;
const millisecondsPerMinute = 60_000;
const maxRefusalsPerMinute = 20;
const maxDirectories = 1000;

/** What this process has not recorded yet of a directory. */
interface Unrecorded {
  minute: number;
  requests: number;
  refused: number;
  /** Recorded in this minute. */
  refusals: number;
}

const directories = new Map<ConnectionId, Unrecorded>();

/**
 * Counts a request of a directory, and keeps a refused one, at most 20 a minute and process. The counts are written with the
 * first request of each minute. It is information for operators, so it neither fails a request nor delays it by more than 100 ms.
 */
export async function recordDirectoryRequest(
  { connectionId }: { readonly connectionId: ConnectionId },
  { method, path, status, scimType, detail }: AnsweredRequest,
): Promise<void> {
  const at = now();
  const known = unrecordedOf(connectionId);
  const isRefused = status >= 400;
  known.requests += 1;
  known.refused += isRefused ? 1 : 0;
  const minute = Math.floor(at.getTime() / millisecondsPerMinute);
  const writes: Promise<void>[] = [];
  if (minute > known.minute) {
    const { requests, refused } = known;
    Object.assign(known, { minute, requests: 0, refused: 0, refusals: 0 });
    writes.push(countDirectoryRequests(connectionId, at.toISOString(), { requests, refused }));
  }
  if (isRefused && known.refusals < maxRefusalsPerMinute) {
    known.refusals += 1;
    const [pathOnly = ''] = path.split('?');
    const refusal = { at: at.toISOString(), method, path: pathOnly.slice(0, 512), status, scimType };
    writes.push(putRefusal(connectionId, { ...refusal, detail: detail.slice(0, 512) }));
  }
  const writing = Promise.all(writes).catch((error: Error) => {
    log.warn('The requests of a directory were not recorded', { connectionId, error });
  });
  if (writes.length > 0) await Promise.race([writing, pause(recordTimeoutMilliseconds)]);
}

function unrecordedOf(connectionId: ConnectionId): Unrecorded {
  const known = directories.get(connectionId);
  if (known !== undefined) return known;
  if (directories.size >= maxDirectories) directories.clear();
  const created = { minute: 0, requests: 0, refused: 0, refusals: 0 };
  directories.set(connectionId, created);
  return created;
}
