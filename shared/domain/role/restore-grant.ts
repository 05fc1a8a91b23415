import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { conditionCheckEntry } from '#shared/table/expression.ts';
import { accountOf, givenName } from '#shared/table/items/account-item.ts';
import { accountKey } from '#shared/table/keys/directory-item-keys.ts';
import type { AccessRule } from '../access/change-access.ts';
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
    extraKeys: [...extraKeys, accountKey(userId)],
    decide: (current, at) => {
      const entry = requireGiving(current.extraItems[extraKeys.length], earlier);
      const change = decide(current, at);
      return change && { ...change, entries: [entry] };
    },
  };
}

/**
 * Makes a transaction depend on the account of the user, by which the groups of the directory still give the role. Without an
 * account nobody knows more than the Change: the directory's connection was deleted, and left the role.
 */
function requireGiving(item: Item | undefined, { userId, ...role }: EarlierGrant): TransactEntry {
  const account = accountOf(item);
  if (account === undefined) return conditionCheckEntry(accountKey(userId), { absent: ['pk'] });
  const { connectionId, version, given } = account;
  if (givenName(role) in given) return conditionCheckEntry(accountKey(userId), { equals: { connectionId, version } });
  throw new ServiceError('not_undoable', {
    detail: 'A group of the directory gave the role, and no group gives it now. Assign the role if it is needed.',
  });
}
