import { internalsOf } from '../client-internals.ts';
import type { ClientInternals } from '../create-send.ts';
import type { AccessReplica, AccessReplicaOptions } from './access-replica.ts';
import { createAskedUsers } from './asked-users.ts';
import { createCatchUp } from './catch-up.ts';
import { createDecisions } from './decisions.ts';
import { createDeferred } from './deferred.ts';
import { createKnowledge } from './knowledge.ts';
import { createLoading } from './loading.ts';
import { createPoll } from './poll.ts';
import { createPollHealth } from './poll-health.ts';
import { type Polling, startPolling } from './polling.ts';
import { createReader } from './read-service.ts';
import { createRepair } from './repair.ts';
import { createCallbacks, type ReplicaCallbacks } from './replica-callbacks.ts';
import type { ReplicaFile, StoredReplica } from './replica-file.ts';
import { readReplicaOptions } from './replica-options.ts';
import { createSaver } from './saver.ts';
import { createServiceClock } from './service-clock.ts';

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
  const service = internalsOf(options.client) as ClientInternals;
  // A key id names its application.
  const appId = (await service.readKey()).keyId.split('_')[2] ?? '';
  const callbacks = createCallbacks(options);
  const { file: path } = options;
  const file = path ? (await import('./replica-file.ts')).openReplicaFile(path, appId, service) : undefined;
  const stored = await file?.read().catch((error: unknown) => callbacks.report('file', error));
  const parts = createParts(service, options, { appId, callbacks, file, stored });
  const polling = startPolling(createPoll(parts, options), parts.ending.signal);
  if (!stored) await parts.synchronized.promise;
  polling.release();
  return createHandle(parts, polling, options);
}

/** What a replica begins with. */
interface Beginning {
  readonly appId: string;
  readonly callbacks: ReplicaCallbacks;
  readonly file: ReplicaFile | undefined;
  readonly stored: StoredReplica | undefined;
}

type Parts = ReturnType<typeof createParts>;

/** Creates the parts of a replica. Each keeps its own state; all are given the data of the file, if there is any. */
function createParts(
  service: ClientInternals,
  { client, verifySeconds = 3600 }: AccessReplicaOptions,
  { appId, callbacks: { report, tell }, file, stored }: Beginning,
) {
  const ending = new AbortController();
  const { signal } = ending;
  const read = createReader(service, signal);
  const clock = createServiceClock(service.now, stored?.knownAt);
  const knowledge = createKnowledge(clock.now, tell);
  const asked = createAskedUsers();
  const health = createPollHealth(stored?.isRefused);
  const loading = createLoading(appId, !!stored);
  const parts = { ending, read, clock, knowledge, asked, health, loading, report, synchronized: createDeferred() };
  const saver = createSaver(parts, file);
  const reportRepair = (error: unknown, userIds?: readonly string[]) => {
    // So that a restart does not bring back what was wrong.
    if (userIds) saver.hurry();
    report('repair', error, userIds);
  };
  const reload = loading.begin;
  const repair = createRepair({ client, read, signal, knowledge, verifySeconds, report: reportRepair, reload });
  if (stored) {
    knowledge.change(stored.state.users.keys(), () => (knowledge.state = stored.state));
    repair.compareNow();
  }
  return { ...parts, saver, repair, catchUp: createCatchUp(parts, repair) };
}

/** Creates what the application gets: the replica's decisions, its age, and what it is told to do. */
function createHandle(parts: Parts, polling: Polling, options: AccessReplicaOptions): AccessReplica {
  const { ending, clock, knowledge, loading, saver, synchronized } = parts;
  const closed = () => new Error('The replica is closed');

  async function close(): Promise<void> {
    ending.abort();
    knowledge.stop();
    synchronized.reject(closed());
    loading.fail(closed());
    await polling.stopped;
    await saver.save();
  }

  return {
    ...createDecisions(parts, options),
    synchronized: synchronized.promise,
    resync() {
      if (ending.signal.aborted) return Promise.reject(closed());
      const resynced = loading.resync();
      polling.wake();
      return resynced;
    },
    get ageSeconds() {
      return clock.now()[1];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
