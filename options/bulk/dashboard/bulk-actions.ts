import type { Writer } from '#dashboard/api/create-writer.ts';
import { accessVerbs, userStatusVerbs } from '#dashboard/words.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';

/** The actions of a bulk change. Before the number of users, `verb` names the button. */
export const bulkActions = [
  { id: 'enable', label: `${accessVerbs.enabled} access`, verb: accessVerbs.enabled, operation: 'set-access-in-bulk' },
  {
    id: 'disable',
    label: `${accessVerbs.disabled} access`,
    verb: accessVerbs.disabled,
    operation: 'set-access-in-bulk',
  },
  { id: 'assign', label: 'Assign a role', verb: 'Assign role to', operation: 'assign-role-in-bulk' },
  { id: 'revoke', label: 'Remove a role', verb: 'Remove role from', operation: 'revoke-role-in-bulk' },
  {
    id: 'deactivate',
    label: userStatusVerbs.inactive,
    verb: userStatusVerbs.inactive,
    operation: 'set-user-status-in-bulk',
  },
  { id: 'activate', label: userStatusVerbs.active, verb: userStatusVerbs.active, operation: 'set-user-status-in-bulk' },
] as const;
export type BulkAction = (typeof bulkActions)[number];
export type BulkActionId = BulkAction['id'];

/** The parts of a setting that each action needs, beside the reason. */
export const partsOf: Readonly<Record<BulkActionId, readonly ('app' | 'role' | 'end')[]>> = {
  enable: ['app'],
  disable: ['app', 'end'],
  assign: ['app', 'role', 'end'],
  revoke: ['app', 'role'],
  deactivate: [],
  activate: [],
};

/** A complete bulk change. */
export interface BulkSetting {
  readonly action: BulkActionId;
  readonly appId: string;
  readonly role: string;
  readonly reason: string | null;
  readonly ticket: string | null;
  /** When a block or a role ends; `null` is never. */
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
  { action, appId, role, reason, ticket, end }: BulkSetting,
  batch: BulkBatch,
): Promise<readonly BulkOutcome[]> {
  const why = { reason, ticket };
  const { items } = await send();
  return items;

  function send() {
    switch (action) {
      case 'enable':
        return write('set-access-in-bulk', { path: { appId }, body: { ...batch, status: 'enabled', ...why } });
      case 'disable':
        return write('set-access-in-bulk', {
          path: { appId },
          body: { ...batch, status: 'disabled', ...why, until: end },
        });
      case 'assign':
        return write('assign-role-in-bulk', { path: { appId, role }, body: { ...batch, ...why, expiresAt: end } });
      case 'revoke':
        return write('revoke-role-in-bulk', { path: { appId, role }, body: { ...batch, ...why } });
      case 'deactivate':
      case 'activate':
        return write('set-user-status-in-bulk', {
          body: { ...batch, status: action === 'activate' ? 'active' : 'inactive', ...why },
        });
      default:
        return action satisfies never;
    }
  }
}
