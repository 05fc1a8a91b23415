import type { Run } from '../run-seed.ts';
import { isChange } from '../stored-state.ts';

/** Checks that each change that is kept has its place in the global history. */
export function checkGlobalHistory({ items }: Run): string[] {
  return items
    .filter((item) => isChange(item) && (item.gsi2sk !== item.id || !/^HISTORY#\d+$/.test(String(item.gsi2pk))))
    .map(({ id, gsi2pk, gsi2sk }) => `${id} is listed as ${gsi2sk} in ${gsi2pk}`);
}
