import { useQuery } from '@tanstack/react-query';
import { useApi } from '../session/dashboard-context.ts';
import type { CountedState } from './option-pages.ts';
import { registeredPages } from './registered-pages.ts';

const counts = registeredPages.find((option) => option.counts !== undefined)?.counts;

/** The counts that an option keeps; undefined without such an option, and until they are read. */
export function useCounts({ enabled = true }: { readonly enabled?: boolean } = {}): CountedState | undefined {
  const api = useApi();
  const { data } = useQuery({
    enabled: enabled && counts !== undefined,
    queryKey: ['counts'],
    queryFn: ({ signal }) => counts?.(api, signal) ?? null,
  });
  return data ?? undefined;
}
