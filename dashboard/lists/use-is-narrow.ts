import { useSyncExternalStore } from 'react';

/** Below this width Cloudscape's own components stack what is side by side (its breakpoint `xs`). */
const narrow = matchMedia('(max-width: 687.98px)');

/** Whether a table does not fit the screen. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
