import StatusIndicator from '@cloudscape-design/components/status-indicator';

/** While something is loaded. */
export function Waiting({ for: what }: { readonly for: string }) {
  return <StatusIndicator type="loading">Loading {what} …</StatusIndicator>;
}
