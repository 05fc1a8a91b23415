import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import type { AccessRule } from '../access/change-access.ts';
import { userParts } from '../request/user-parts.ts';
import { assignmentRule } from './grant-role.ts';

/** A grant as it was before a Change that is undone. */
export interface EarlierGrant {
  readonly userId: UserId;
  readonly appId: AppId;
  readonly role: RoleName;
  readonly expiresAt: string | null;
  /** Whether a group had given it. */
  readonly fromGroup: boolean;
  /** When the Change was made. */
  readonly at: string;
}

/**
 * The rule that gives a role back. One that a group gave follows the groups again: 409 `not_undoable` if they no longer give it.
 */
export function restorationRule(earlier: EarlierGrant): AccessRule {
  const { userId, appId, role, expiresAt, fromGroup, at: definedBefore } = earlier;
  const { extraKeys = [], decide } = assignmentRule(appId, { role, expiresAt }, { definedBefore, fromGroup });
  if (!fromGroup) return { extraKeys, decide };
  return {
    extraKeys: [...extraKeys, ...userParts.map((part) => part.keyOf(userId))],
    decide: (current, at) => {
      const items = current.extraItems.slice(extraKeys.length);
      const entries = userParts.map((part, n) => part.requireGiving(userId, items[n], { appId, role }));
      const change = decide(current, at);
      return change && { ...change, entries };
    },
  };
}
