import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { UseQueryResult } from '@tanstack/react-query';
import { ProblemAlert } from './problem-alert.tsx';

export interface QueryStatusProps {
  readonly query: UseQueryResult<unknown>;
  /** What is loaded, such as `the user`. */
  readonly of: string;
}

/** For a query without success: that its first answer is awaited, or why the last one failed. */
export function QueryStatus({ query: { isPending, error, refetch }, of }: QueryStatusProps) {
  if (isPending) return <Spinner of={of} />;
  return <ProblemAlert error={error} retry={() => void refetch()} />;
}

/** While something is loaded. */
export function Spinner({ of }: { readonly of: string }) {
  return <StatusIndicator type="loading">Loading {of} …</StatusIndicator>;
}
