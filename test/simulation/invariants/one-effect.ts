import type { Run } from '../run-seed.ts';
import { effectsOf } from './acknowledged.ts';

/** Checks that a call takes effect at most once, however often it is sent. */
export function checkOneEffect({ calls, changes }: Run): string[] {
  return calls.flatMap((call) => {
    const effects = effectsOf(call, changes);
    if (effects.length <= 1) return [];
    const ids = effects.map(({ change }) => change.id).join(', ');
    return [`${call.id} ${call.operation} took effect ${effects.length} times: ${ids}`];
  });
}
