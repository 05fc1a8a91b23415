import type { ServiceCaller, SigningKey } from '#shared/calls/call-service.ts';
import type { CanaryTime } from '#shared/contract/metrics.ts';
import { now, pause } from '#shared/core/clock.ts';

/** The measurements of a run, in milliseconds. */
export type Measurements = Readonly<Record<CanaryTime, number>>;

/** The user that the canary blocks, its key, and its cursor in the feed, which each run updates. */
export interface CanarySubject {
  readonly userId: string;
  /** A role that checks of releases assign and revoke. */
  readonly role: string;
  readonly key: SigningKey;
  cursor?: string | undefined;
}

/** The block expires, so that the next run finds the user enabled and blocks again. */
const blockSeconds = 45;
const feedLimitMilliseconds = 20_000;
const feedPauseMilliseconds = 200;

/** Reads, blocks, checks the block, and waits for it in the feed; throws on an unexpected response. */
export async function runCanary(service: ServiceCaller, subject: CanarySubject): Promise<Measurements> {
  const { userId, key } = subject;
  const access = { path: { userId } };
  // Without a cursor the feed would begin with the oldest change that is kept.
  subject.cursor ??= (await service.call('get-snapshot', { query: { limit: 1 } }, key)).changesCursor;
  const get = await timed(() => service.call('get-access', access, key));
  const until = new Date(now().getTime() + blockSeconds * 1000).toISOString();
  const block = { ...access, body: { status: 'disabled', reason: 'canary', until } } as const;
  const put = await timed(() => service.call('set-access', block, key));
  const blockedAt = now().getTime();
  const { effectiveStatus } = await service.call('get-access', access, key);
  if (effectiveStatus !== 'disabled') throw new Error('a blocked user still has access');
  const feed = await waitForChange(service, subject, put.answer.changeId);
  return {
    CanaryGetMilliseconds: get.milliseconds,
    CanaryPutMilliseconds: put.milliseconds,
    CanaryFeedMilliseconds: feed.milliseconds,
    CanaryBlockToFeedMilliseconds: now().getTime() - blockedAt,
  };
}

async function waitForChange(service: ServiceCaller, subject: CanarySubject, changeId: string | null) {
  if (changeId === null) throw new Error('the block changed nothing');
  const end = now().getTime() + feedLimitMilliseconds;
  for (;;) {
    const after = subject.cursor ?? '';
    const feed = await timed(() => service.call('list-changes', { query: { after, limit: 100 } }, subject.key));
    subject.cursor = feed.answer.cursor;
    if (feed.answer.items.some(({ id }) => id === changeId)) return feed;
    if (now().getTime() >= end) throw new Error('the block is not in the feed');
    await pause(feedPauseMilliseconds);
  }
}

async function timed<Answer>(run: () => Promise<Answer>) {
  const startedAt = now().getTime();
  const answer = await run();
  return { answer, milliseconds: now().getTime() - startedAt };
}
