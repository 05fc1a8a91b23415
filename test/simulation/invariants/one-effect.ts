import { hasLateAttempt } from '../clients.ts';
import type { Run } from '../run-seed.ts';
import { effectsOf } from './acknowledged.ts';

/**
 * Checks that a call takes effect at most once, however often it is sent. Attempts whose signatures are further apart than one
 * call allows are several calls: the service may have forgotten the first when the last is replayed.
 */
export function checkOneEffect({ calls, changes }: Run): string[] {
  return calls.flatMap((call) => {
    const effects = effectsOf(call, changes);
    if (effects.length <= 1 || hasLateAttempt(call)) return [];
    const ids = effects.map(({ change }) => change.id).join(', ');
    return [`${call.id} ${call.operation} took effect ${effects.length} times: ${ids}`];
  });
}
