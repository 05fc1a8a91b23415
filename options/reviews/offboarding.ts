import type { UndoOutcome } from '#options/bulk/contract/bulk-undo.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import type { Change } from '#shared/contract/change.ts';
import { isOffboarding } from './is-offboarding.ts';

/*
 * How the dashboard and the command line offboard a user: as one bulk of the user's status and, unless they are kept, of the roles
 * in all applications. The status is first, so the user is out even if a later request fails; repeating it does what is missing.
 */

/** A role of a user in one application. */
export interface HeldRole {
  readonly appId: string;
  readonly role: string;
  readonly expiresAt: string | null;
}

/** What became of a role; a problem says why it was not removed. */
export interface TakenRole extends HeldRole {
  readonly outcome: 'removed' | 'kept' | 'failed';
  readonly problem?: BulkOutcome['problem'];
}

/** What an offboarding took and left. */
export interface OffboardingReceipt {
  readonly userId: string;
  readonly bulkId: string;
  readonly status: BulkOutcome;
  readonly roles: readonly TakenRole[];
  /** The applications that the user could enter before. */
  readonly lostAccess: readonly string[];
  /** The blocks in applications, which stay. */
  readonly blocks: readonly { readonly appId: string; readonly until: string | null; readonly reason: string | null }[];
}

export interface Offboarding {
  readonly userId: string;
  readonly bulkId: string;
  /** As before the offboarding, of all applications. */
  readonly accesses: readonly UserAccessView[];
  readonly keepsRoles: boolean;
}

/** The requests of an offboarding, for the one user of the bulk. */
export interface OffboardingRequests {
  deactivate(): Promise<readonly BulkOutcome[]>;
  revoke(path: { readonly appId: string; readonly role: string }): Promise<readonly BulkOutcome[]>;
}

/** Deactivates a user and removes the roles in all applications; nothing else is sent if the user cannot be deactivated. */
export async function offboard(offboarding: Offboarding, send: OffboardingRequests): Promise<OffboardingReceipt> {
  const { userId, bulkId, accesses, keepsRoles } = offboarding;
  const status = outcomeAbout(userId, await send.deactivate());
  const isStopped = keepsRoles || status.outcome === 'failed';
  const roles: TakenRole[] = [];
  // One after the other: two roles of an application are two versions of one access.
  for (const { appId, roles: held } of accesses) {
    for (const { name: role, expiresAt } of held) {
      const known = { appId, role, expiresAt };
      if (isStopped) roles.push({ ...known, outcome: 'kept' });
      else {
        const { outcome, problem } = outcomeAbout(userId, await send.revoke({ appId, role }));
        roles.push({ ...known, outcome: outcome === 'failed' ? 'failed' : 'removed', ...(problem && { problem }) });
      }
    }
  }
  const enabled = accesses.filter(({ effectiveStatus }) => effectiveStatus === 'enabled');
  const blocked = accesses.filter(
    ({ explicit, status: set, decidedBy }) => explicit && set === 'disabled' && decidedBy !== 'lapsed',
  );
  return {
    userId,
    bulkId,
    status,
    roles,
    lostAccess: status.outcome === 'failed' ? [] : enabled.map(({ appId }) => appId),
    blocks: blocked.map(({ appId, until, reason }) => ({ appId, until, reason })),
  };
}

function outcomeAbout(userId: string, outcomes: readonly BulkOutcome[]): BulkOutcome {
  const missing = { code: 'no_outcome', detail: 'The answer has no outcome for this user.' };
  return outcomes.find((outcome) => outcome.userId === userId) ?? { userId, outcome: 'failed', problem: missing };
}

/** Whether an application whose roles would be removed requires a reason of operators. */
export function rolesRequireReason(accesses: readonly UserAccessView[]): boolean {
  return accesses.some(({ roles, requireReason }) => roles.length > 0 && requireReason !== null);
}

/** An offboarding as the history of its user has it. */
export interface PastOffboarding {
  readonly bulkId: string;
  readonly removed: readonly HeldRole[];
}

/** The offboarding with this bulk id; undefined if these changes of a user have none that deactivated the user. */
export function offboardingIn(changes: readonly Change[], bulkId: string): PastOffboarding | undefined {
  const own = changes.filter((change) => change.bulkId === bulkId);
  if (!isOffboarding(own)) return undefined;
  const removed = own.flatMap(({ action, appId, role, before }): HeldRole[] => {
    if (action !== 'role.revoked' || appId === undefined || role === undefined) return [];
    const { expiresAt } = before ?? {};
    return [{ appId, role, expiresAt: typeof expiresAt === 'string' ? expiresAt : null }];
  });
  return { bulkId, removed };
}

/** The requests that undo an offboarding. */
export interface ReinstatingRequests {
  activate(): Promise<unknown>;
  /** Undoes the bulk in one application. */
  giveBack(appId: string): Promise<readonly UndoOutcome[]>;
}

/** Undoes an offboarding: activates the user, then gives back the roles. */
export async function reinstate(
  { removed }: PastOffboarding,
  send: ReinstatingRequests,
): Promise<readonly UndoOutcome[]> {
  await send.activate();
  return giveBackRoles(removed, send.giveBack);
}

/** Gives back the roles that an offboarding removed, in each application in which the access was not modified since. */
async function giveBackRoles(
  removed: readonly HeldRole[],
  giveBack: ReinstatingRequests['giveBack'],
): Promise<readonly UndoOutcome[]> {
  const outcomes: UndoOutcome[] = [];
  for (const appId of new Set(removed.map((role) => role.appId))) outcomes.push(...(await giveBack(appId)));
  return outcomes;
}
