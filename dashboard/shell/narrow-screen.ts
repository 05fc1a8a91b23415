import { useSyncExternalStore } from 'react';

/** Below this width Cloudscape stacks its columns (its breakpoint `xs`). */
const narrow = matchMedia('(max-width: 687.98px)');

/** Whether the screen is too narrow for a table, and for the main places in the bar. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
