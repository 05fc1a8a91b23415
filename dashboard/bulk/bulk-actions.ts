import type { BulkOutcome } from '#shared/contract/bulk.ts';
import type { Writer } from '../api/create-writer.ts';

/** What can be done for many users at once. */
export const bulkActions = [
  { id: 'enable', label: 'Open an application', verb: 'Open for', operation: 'set-access-in-bulk' },
  { id: 'disable', label: 'Block in an application', verb: 'Block', operation: 'set-access-in-bulk' },
  { id: 'assign', label: 'Give a role', verb: 'Give the role to', operation: 'assign-role-in-bulk' },
  { id: 'revoke', label: 'Take a role away', verb: 'Take the role from', operation: 'revoke-role-in-bulk' },
  { id: 'deactivate', label: 'Deactivate', verb: 'Deactivate', operation: 'set-user-status-in-bulk' },
  { id: 'activate', label: 'Activate', verb: 'Activate', operation: 'set-user-status-in-bulk' },
] as const;
export type BulkAction = (typeof bulkActions)[number];
export type BulkActionId = BulkAction['id'];

/** Which parts of a setting an action takes. */
export const partsOf: Readonly<Record<BulkActionId, readonly ('app' | 'role' | 'reason' | 'end')[]>> = {
  enable: ['app', 'reason'],
  disable: ['app', 'reason', 'end'],
  assign: ['app', 'role', 'end'],
  revoke: ['app', 'role'],
  deactivate: ['reason'],
  activate: ['reason'],
};

/** What is to be done, complete. */
export interface BulkSetting {
  readonly action: BulkActionId;
  readonly appId: string;
  readonly role: string;
  readonly reason: string | null;
  /** The end of a block or a grant; `null` is never. */
  readonly end: string | null;
}

export interface BulkBatch {
  readonly userIds: readonly string[];
  readonly bulkId?: string;
  readonly dryRun?: boolean;
}

/** Sends one batch of at most a hundred users. */
export async function sendBatch(
  write: Writer,
  { action, appId, role, reason, end }: BulkSetting,
  batch: BulkBatch,
): Promise<readonly BulkOutcome[]> {
  const { items } = await send();
  return items;

  function send() {
    switch (action) {
      case 'enable':
        return write('set-access-in-bulk', { path: { appId }, body: { ...batch, status: 'enabled', reason } });
      case 'disable':
        return write('set-access-in-bulk', {
          path: { appId },
          body: { ...batch, status: 'disabled', reason, until: end },
        });
      case 'assign':
        return write('assign-role-in-bulk', { path: { appId, role }, body: { ...batch, expiresAt: end } });
      case 'revoke':
        return write('revoke-role-in-bulk', { path: { appId, role }, body: { ...batch } });
      case 'deactivate':
      case 'activate':
        return write('set-user-status-in-bulk', {
          body: { ...batch, status: action === 'activate' ? 'active' : 'inactive', reason },
        });
      default:
        return action satisfies never;
    }
  }
}
