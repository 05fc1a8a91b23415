import { describeCaller } from '#dashboard/history/describe-caller.ts';
import type { Names } from '#dashboard/history/use-names.ts';
import { saveFile } from '#dashboard/lists/save-file.ts';
import { describeRoles } from '#dashboard/user/describe-roles.ts';
import { nameUser } from '#dashboard/words.ts';
import type { Change } from '#shared/contract/change.ts';
import type { HeldRole } from '../offboarding.ts';

/** What a receipt of an offboarding says, apart from what was only known at the time. */
export interface Receipt {
  readonly userId: string;
  readonly bulkId: string;
  readonly displayName?: string | null | undefined;
  /** Until the service has recorded it, the time of the browser. */
  readonly at: string;
  readonly caller: Change['caller'] | null;
  readonly reason: string | null;
  readonly ticket?: string | null | undefined;
  readonly removed: readonly HeldRole[];
  /** Further lines, each with its label. */
  readonly more?: readonly (readonly [string, string])[];
}

/** The receipt as lines of text: who was offboarded, when, by whom, why, and what was taken. */
export function receiptText(receipt: Receipt, appName: Names['appName']): string {
  const { userId, bulkId, displayName, at, caller, reason, ticket, removed, more = [] } = receipt;
  const roles = describeRoles(removed.map(({ appId, role }) => ({ appName: appName(appId), role })));
  const lines: readonly (readonly [string, string])[] = [
    ['User', nameUser({ userId, displayName })],
    ['When', at],
    ['By', caller === null ? 'unknown' : describeCaller(caller, appName)],
    ['Reason', reason ?? 'none'],
    ['Ticket', ticket ?? 'none'],
    ['Status', 'inactive'],
    ['Roles removed', roles || 'None'],
    ...more,
    ['Bulk change', bulkId],
  ];
  return `Offboarding receipt\n\n${lines.map(([label, text]) => `${label}: ${text}`).join('\n')}\n`;
}

/** Saves a receipt as a text file. */
export function saveReceipt(receipt: Receipt, text: string): void {
  saveFile(
    `offboarding-${receipt.userId}-${receipt.at.slice(0, 10)}.txt`,
    new Blob([text], { type: 'text/plain;charset=utf-8' }),
  );
}
