import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { UseQueryResult } from '@tanstack/react-query';
import { ProblemAlert } from './problem-alert.tsx';

export interface QueryStatusProps {
  readonly query: UseQueryResult<unknown>;
  /** The subject that is loaded, such as `the user`. */
  readonly of: string;
}

/** The state of a query without data: a spinner until the first response, then the error. */
export function QueryStatus({ query: { isPending, error, refetch }, of }: QueryStatusProps) {
  if (isPending) return <Spinner of={of} />;
  return <ProblemAlert error={error} retry={() => void refetch()} />;
}

export function Spinner({ of }: { readonly of: string }) {
  return <StatusIndicator type="loading">Loading {of}…</StatusIndicator>;
}
