import type { Run } from '../run-seed.ts';
import { effectsOf } from './acknowledged.ts';

/** However often a call is sent, it takes effect once at most. */
export function checkOneEffect({ calls, changes }: Run): string[] {
  return calls.flatMap((call) => {
    const effects = effectsOf(call, changes);
    if (effects.length <= 1) return [];
    const ids = effects.map(({ change }) => change.id).join(', ');
    return [`${call.id} ${call.operation} took effect ${effects.length} times: ${ids}`];
  });
}
