import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useApi } from '../session/dashboard-context.ts';
import type { CountedState, OptionPages } from './option-pages.ts';

/** How the counts are read, if an option keeps them. */
export const CountsContext = createContext<OptionPages['counts']>(undefined);

/** The counts that an option keeps; undefined without such an option, and until they are read. */
export function useCounts({ enabled = true }: { readonly enabled?: boolean } = {}): CountedState | undefined {
  const api = useApi();
  const read = useContext(CountsContext);
  const { data } = useQuery({
    enabled: enabled && read !== undefined,
    queryKey: ['counts'],
    queryFn: ({ signal }) => read?.(api, signal) ?? null,
  });
  return data ?? undefined;
}
