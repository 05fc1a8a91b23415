import type { Change } from '#shared/contract/change.ts';
import { callerId, nameCaller, nameOperator } from '#shared/contract/wording.ts';
import type { Names } from './use-names.ts';

/** The caller in readable form: an operator, with the role if it was recorded, or an application or a connection and its key. */
export function describeCaller(caller: Change['caller'], appName: Names['appName']): string {
  if (caller.kind === 'api-key') return `${appName(caller.appId)}, key …${caller.keyId.slice(-6)}`;
  if (caller.kind === 'connection') return `${caller.connectionId}, token …${caller.keyId.slice(-6)}`;
  if (caller.kind === 'service') return nameCaller(caller);
  return caller.role === undefined ? nameOperator(caller) : `${nameOperator(caller)} (${caller.role})`;
}

/** The caller's id, and the issuer of a token. */
export function identifyCaller(caller: Change['caller']): string {
  if (caller.kind !== 'operator') return callerId(caller);
  return caller.issuer === undefined ? caller.id : `${caller.id} of ${caller.issuer}`;
}
