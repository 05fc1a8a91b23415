import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { createSalt, createUlid } from '#shared/core/ids.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { signWithKms } from '#shared/keys/kms.ts';
import type { Item } from '#shared/table/client.ts';
import { type ChainHead, readChainHeads } from './head-item.ts';
import { headsConfig } from './heads-config.ts';
import { putNewObject } from './new-object.ts';
import { type Head, type HeadsPart, type HeadsRun, signHeads, userDigest } from './signed-heads.ts';

/** A run that continues itself must end before the next one, whatever makes it long. */
const maxRunHours = 20;

/** What has been signed of a run, from which another invocation continues it. */
export interface HeadsProgress extends HeadsRun {
  /** The number of parts. */
  readonly parts: number;
  readonly heads: number;
  /** The digest of the last part. */
  readonly previous: string | null;
  /** The key in the table up to which it has been read. */
  readonly after?: Item | undefined;
}

export interface RunLimits {
  /** In milliseconds since the epoch. After this time, a page is read and nothing more. */
  readonly endsAt: number;
  /** From this number on, the heads that were read are stored. Default: 50,000, in a file of about 6 MB. */
  readonly headsPerPart?: number;
}

/** A run that has signed nothing yet. */
export function newHeadsRun(): HeadsProgress {
  const begun = now().toISOString();
  const run = `${begun.slice(0, 10)}-${createUlid(new Date(begun))}`;
  const { service } = headsConfig();
  return { service, table: config().tableName, run, begun, salt: createSalt(), parts: 0, heads: 0, previous: null };
}

/**
 * Reads the whole table, a page at a time, and stores the heads of all chains as signed files where the service cannot change
 * them. Returns the progress when its time is up; undefined when everything is stored. A run that fails leaves files without a
 * last part, which prove nothing; so does one of more than 20 hours.
 */
export async function signAllHeads(
  begin: HeadsProgress,
  { endsAt, headsPerPart = 50_000 }: RunLimits,
): Promise<HeadsProgress | undefined> {
  requireRecent(begin);
  let progress = begin;
  let heads: Head[] = [];
  for (;;) {
    const page = await readChainHeads(progress.after);
    progress = { ...progress, after: page.next };
    for (const head of page.heads) heads.push(withoutId(head, progress));
    const isLast = page.next === undefined;
    const isOver = isLast || now().getTime() >= endsAt;
    if (isOver || heads.length >= headsPerPart) {
      progress = await storePart(progress, heads, isLast);
      heads = [];
    }
    if (isLast) return void reportRun(progress);
    if (isOver) return progress;
  }
}

function requireRecent({ run, begun }: HeadsRun): void {
  const hours = (now().getTime() - Date.parse(begun)) / 3_600_000;
  if (hours > maxRunHours) throw new Error(`The run ${run} has not ended within ${maxRunHours} hours`);
}

function withoutId({ mac, at, userId, appId, connectionId, role }: ChainHead, run: HeadsRun): Head {
  return {
    mac,
    at,
    ...(userId !== undefined && { user: userDigest(run, userId) }),
    ...(appId !== undefined && { app: appId }),
    ...(connectionId !== undefined && { connection: connectionId }),
    ...(role !== undefined && { role }),
  };
}

async function storePart(progress: HeadsProgress, heads: readonly Head[], isLast: boolean): Promise<HeadsProgress> {
  const { bucket, keyArn } = headsConfig();
  const { service, table, run, begun, salt, previous } = progress;
  const part = progress.parts + 1;
  const signed: HeadsPart = { service, table, run, begun, salt, part, isLast, previous, ended: now().toISOString() };
  const sign = (input: string) => signWithKms(keyArn, input);
  const { text: body, digest } = await signHeads(signed, heads, { kid: keyArn, sign });
  await putNewObject({ bucket, name: `${service}/${run}/${String(part).padStart(5, '0')}.jsonl`, body });
  return { ...progress, parts: part, heads: progress.heads + heads.length, previous: digest };
}

function reportRun({ run, parts, heads }: HeadsProgress): void {
  log.info('The heads of all chains are signed', { run, parts, heads });
  publishMetrics({ HeadsSigned: heads });
}
