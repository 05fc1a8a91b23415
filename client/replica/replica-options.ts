import { internalsOf } from '../client-internals.ts';
import { maxSeconds, readOptions } from '../read-options.ts';
import type { AccessReplicaOptions } from './access-replica.ts';

/** Above this age, data does not decide unless the application says otherwise. */
export const defaultStalenessSeconds = 60;

/** Checks the options. Throws a TypeError for an unknown, missing or invalid one. */
export function readReplicaOptions(given: AccessReplicaOptions): AccessReplicaOptions {
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
