import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { UserStatus } from '#shared/contract/access.ts';

export function UserStatusIndicator({ status }: { readonly status: UserStatus }) {
  return status === 'active' ? (
    <StatusIndicator type="success">Active</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">Inactive</StatusIndicator>
  );
}
