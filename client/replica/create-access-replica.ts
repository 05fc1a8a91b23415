import type { ErrorCode } from '../client-error.ts';
import type { AuthServiceClient, CallOptions } from '../client-interface.ts';
import { internalsOf } from '../client-internals.ts';
import type { ClientInternals } from '../create-send.ts';
import { maxSeconds, readOptions } from '../read-options.ts';
import type { AccessReplica, AccessReplicaOptions, ReplicaChange, ReplicaFailure } from './access-replica.ts';
import { createAskedUsers } from './asked-users.ts';
import { decideLocally, isUserId, noDecision, type ReplicaDecision, type ReplicaState } from './decide-locally.ts';
import { addPage, createKnowledge, type Page } from './knowledge.ts';
import { backOff, jitter, maxBackOffMs, startPolling } from './polling.ts';
import { beginSnapshot, createReader, followChanges, loadSnapshot } from './read-service.ts';
import { createRepair } from './repair.ts';
import { createServiceClock } from './service-clock.ts';

const saveEveryMs = 60_000;

/** Codes that reject the key itself. Others can be caused by a wrong clock or by a request altered on the way. */
const refusals: readonly string[] = [
  'signature_mismatch',
  'key_revoked',
  'key_expired',
  'scope_missing',
  'address_not_allowed',
] satisfies ErrorCode[];

/**
 * Loads all non-default data of the client's application and follows changes, to decide locally. Resolves as soon as it can
 * decide: immediately with a valid file, otherwise with the complete snapshot. Rejects if that takes too long, and immediately
 * if the key is rejected.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { createAccessReplica } from '@auth-service/client/replica';
 *
 * const client = new AuthServiceClient({
 *   baseUrl: 'https://auth.example.com',
 *   keyId: process.env.AUTH_KEY_ID ?? '',
 *   secret: process.env.AUTH_SECRET ?? '',
 * });
 * const replica = await createAccessReplica({ client, pollSeconds: 5, maxStalenessSeconds: 60 });
 * if (replica.check('ada').effectiveStatus !== 'enabled') throw new Error('Ada may not enter');
 * ```
 */
export async function createAccessReplica(given: AccessReplicaOptions): Promise<AccessReplica> {
  const options = readReplicaOptions(given);
  const { client, whenStale = 'ask', unknown = 'default', verifySeconds = 3600 } = options;
  const { pollSeconds = 5, maxStalenessSeconds = 60, startTimeoutSeconds = 60 } = options;
  const service = internalsOf(client) as ClientInternals;
  // A key id names its application.
  const appId = (await service.readKey()).keyId.split('_')[2] ?? '';
  const file = options.file && (await import('./replica-file.ts')).openReplicaFile(options.file, appId, service);
  const stored = file ? await file.read().catch((error: unknown) => report('file', error)) : undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const read = createReader(service, signal);
  const clock = createServiceClock(service.now, stored?.knownAt);
  const knowledge = createKnowledge(clock.now, tell);
  const repair = createRepair({
    client,
    read,
    signal,
    knowledge,
    verifySeconds,
    report(error, userIds) {
      // So that a restart does not bring back what was wrong.
      if (userIds) savedAt = -saveEveryMs;
      report('repair', error, userIds);
    },
    reload: () => (snapshot ??= beginSnapshot(appId)),
  });
  const asked = createAskedUsers();
  const startedAt = performance.now();
  let [failures, savedAt, isSaved] = [0, -saveEveryMs, true];
  const [started, synchronized] = [createEvent(), createEvent()];
  let resynced: ReturnType<typeof createEvent> | undefined;
  let snapshot = stored ? undefined : beginSnapshot(appId);
  let isRefused = stored?.isRefused ?? false;
  if (stored) {
    knowledge.change(stored.state.users.keys(), () => (knowledge.state = stored.state));
    repair.compareNow();
  }

  async function catchUp(): Promise<void> {
    const begun = snapshot;
    const settle = begun || failures ? undefined : await repair.read();
    const loaded = begun && (await loadSnapshot(read, begun));
    const known = knowledge.state;
    const setKnown = clock.ask();
    const { date, seen } = await followChanges(read, (loaded ?? known) as ReplicaState, (page) => {
      const { unsigned = [] } = page;
      asked.forget(unsigned.map(({ userId }) => userId));
      if (begun && loaded) {
        addPage(loaded, page);
        begun.unsigned.push(...unsigned);
        return;
      }
      repair.refuse(unsigned);
      knowledge.change(userIdsOf(page), () => repair.doubtAll(addPage(known as ReplicaState, page, clock.now()[0])));
      asked.forget(userIdsOf(page));
    });
    setKnown(date);
    if (loaded) replaceState(loaded);
    knowledge.settle(seen);
    settle?.(seen);
    // Otherwise resync() was called meanwhile.
    if (snapshot !== begun) return;
    snapshot = undefined;
    if (begun) repair.refuse(begun.unsigned);
    resynced?.resolve();
    resynced = undefined;
  }

  function replaceState(loaded: ReplicaState): void {
    asked.forgetAll();
    repair.reset();
    knowledge.change([...(knowledge.state?.users.keys() ?? []), ...loaded.users.keys()], () => {
      knowledge.state = loaded;
    });
  }

  async function poll(): Promise<number> {
    let wait = jitter(pollSeconds * 1000);
    try {
      await catchUp();
      isRefused = isSaved = false;
      failures = 0;
      if (repair.isBusy || snapshot) wait = Math.min(wait, jitter(1000));
      started.resolve();
      synchronized.resolve();
    } catch (error) {
      if (signal.aborted) return 0;
      report('poll', error);
      wait = afterFailure(error as PollError);
    }
    if (performance.now() - savedAt >= saveEveryMs) await save();
    return wait;
  }

  /** Returns how long to wait. */
  function afterFailure(error: PollError): number {
    const { code = '', retryAfterSeconds } = error;
    if (refusals.includes(code)) {
      isRefused = true;
      isSaved = false;
    }
    // The cursor has expired or is invalid, or a response cannot be parsed.
    const isExpired = code === 'cursor_expired';
    if (isExpired || code === 'invalid_request' || error instanceof TypeError) snapshot = beginSnapshot(appId);
    if (!knowledge.state) {
      const leftMs = startedAt + startTimeoutSeconds * 1000 - performance.now();
      if (!isRefused && leftMs > 0) return Math.min(backOff(1000, failures++, retryAfterSeconds), leftMs);
      started.reject(error);
      ending.abort();
    }
    // It may have expired for all replicas at the same time; until the reload, the known data decides.
    if (isExpired) return Math.random() * Math.min(maxBackOffMs, maxStalenessSeconds * 500);
    return backOff(pollSeconds * 1000, failures++, retryAfterSeconds);
  }

  async function save(): Promise<void> {
    const { state } = knowledge;
    if (!file || !state || isSaved) return;
    isSaved = true;
    savedAt = performance.now();
    await file.write({ state, knownAt: clock.knownAt(), isRefused }).catch((error: unknown) => {
      isSaved = false;
      report('file', error);
    });
  }

  async function report(
    during: ReplicaFailure['during'],
    error: unknown,
    userIds?: readonly string[],
  ): Promise<undefined> {
    try {
      await options.onError?.({ during, error, ...(userIds && { userIds }) });
    } catch {}
  }

  async function tell(change: ReplicaChange): Promise<void> {
    try {
      await options.onChange?.(change);
    } catch (error) {
      report('onChange', error);
    }
  }

  const polling = startPolling(poll, signal);
  if (!stored) await started.promise;
  polling.release();

  async function close(): Promise<void> {
    ending.abort();
    knowledge.stop();
    for (const event of [synchronized, resynced]) event?.reject(new Error('The replica is closed'));
    await polling.stopped;
    await save();
  }

  function check(userId: string): ReplicaDecision {
    const now = clock.now();
    const isStale = now[1] > maxStalenessSeconds;
    if (isStale && isRefused) return noDecision(userId, 'key_refused', now[1]);
    if (isStale && whenStale !== 'goOn') return noDecision(userId, 'stale', now[1]);
    const state = knowledge.state as ReplicaState;
    const exists = unknown === 'default' || !isUserId(userId) || state.users.has(userId) || asked.exists(userId);
    return exists
      ? decideLocally(state, userId, now)
      : noDecision(userId, exists === false ? 'user_not_found' : 'unknown', now[1]);
  }

  async function askAboutUnknown(userId: string, callOptions?: CallOptions): Promise<ReplicaDecision> {
    const decision = await ask(client, userId, callOptions);
    const { decidedBy, roles, code } = decision;
    if (code) asked.remember(userId, false);
    else if ((decidedBy === 'default' || decidedBy === 'rollout') && !roles[0]) asked.remember(userId, true);
    // Unless a change arrives that explains it, an entry of this user has been lost.
    else repair.doubt(userId);
    return decision;
  }

  return {
    check,
    async checkOrAsk(userId, callOptions) {
      const decision = check(userId);
      const { code } = decision;
      if (code === 'unknown') return unknown === 'ask' ? askAboutUnknown(userId, callOptions) : decision;
      return whenStale === 'ask' && code && code !== 'user_not_found' ? ask(client, userId, callOptions) : decision;
    },
    synchronized: synchronized.promise,
    resync() {
      if (signal.aborted) return Promise.reject(new Error('The replica is closed'));
      snapshot = beginSnapshot(appId);
      resynced ??= createEvent();
      polling.wake();
      return resynced.promise;
    },
    get ageSeconds() {
      return clock.now()[1];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function readReplicaOptions(given: AccessReplicaOptions): AccessReplicaOptions {
  return readOptions('createAccessReplica', given, {
    client: ['an AuthServiceClient', (client) => !!internalsOf(client), true],
    pollSeconds: maxSeconds,
    maxStalenessSeconds: maxSeconds,
    startTimeoutSeconds: maxSeconds,
    whenStale: ['ask, deny or goOn', (value) => ['ask', 'deny', 'goOn'].includes(value as string)],
    unknown: ['default, ask or deny', (value) => ['default', 'ask', 'deny'].includes(value as string)],
    verifySeconds: ['0 or a number of seconds', (value) => typeof value === 'number' && value >= 0],
    file: ['a path', (value) => typeof value === 'string' && value !== ''],
    onChange: 'function',
    onError: 'function',
  });
}

type PollError = Error & { readonly code?: string; readonly retryAfterSeconds?: number };

async function ask(client: AuthServiceClient, userId: string, options?: CallOptions): Promise<ReplicaDecision> {
  try {
    if (isUserId(userId)) {
      const { effectiveStatus, decidedBy, roles } = await client.getAccess(userId, options);
      return { userId, effectiveStatus, decidedBy, roles, code: null, ageSeconds: 0 };
    }
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'user_not_found') throw error;
  }
  return noDecision(userId, 'user_not_found', 0);
}

function createEvent() {
  let [resolve, reject] = [() => {}, (_: unknown) => {}];
  const promise = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  // The promise may have no handlers.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

function userIdsOf({ facts }: Page): Iterable<string> {
  return facts.map(([userId]) => userId);
}
