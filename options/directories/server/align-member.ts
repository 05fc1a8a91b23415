import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { type AccessRule, changeAccess } from '#shared/domain/access/change-access.ts';
import { isFromGroup } from '#shared/domain/access/decide-access-change.ts';
import { retryOnConflict } from '#shared/domain/request/optimistic-locking.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { assignmentRule, revocationRule } from '#shared/domain/role/grant-role.ts';
import { type Item, type TransactEntry, transact } from '#shared/table/client.ts';
import type { Key } from '#shared/table/key.ts';
import { type Account, givenName } from '../table/account-item.ts';
import { accountKey } from '../table/directory-item-keys.ts';
import {
  type Alignment,
  fenceEntries,
  type GroupPlan,
  groupsEntries,
  hasRole,
  type MappedRole,
  ownAccountOf,
  planEntries,
  planOf,
  readPlans,
} from './group-plan.ts';

/**
 * Changes the groups of one user, and gives and takes the roles that follow, each step in one transaction. Takes a role only if
 * a group gave it and nobody has assigned it since. Repeating it completes what was interrupted. Skips a user whom the
 * directory does not have, or no longer.
 */
export async function alignMember(alignment: Alignment, context: ConnectionContext): Promise<void> {
  const skipped = new Set<string>();
  let outcome: 'again' | 'done' = 'again';
  while (outcome === 'again') outcome = await retryOnConflict(() => alignStep(alignment, skipped, context));
}

/** A user whom a directory manages. */
export type Member = Pick<Alignment, 'connection' | 'userId'>;

/** Takes a user whom the directory removed out of all groups; one who has returned meanwhile keeps them. */
export function completeRemoval(member: Member, context: ConnectionContext): Promise<void> {
  return alignMember({ ...member, touches: [], after: (groups) => groups }, context);
}

/** `skipped` has the roles that cannot be given: those that somebody else has given, and those that no longer exist. */
async function alignStep(
  alignment: Alignment,
  skipped: Set<string>,
  context: ConnectionContext,
): Promise<'again' | 'done' | 'conflict'> {
  const read = await readMember(alignment, context);
  if (read === undefined) return 'done';
  const { account, plan, keys } = read;
  const [taken] = plan.taken;
  const given = plan.given.find((role) => !skipped.has(givenName(role)));
  const step = new RoleStep(alignment, keys);
  const write = (entries: readonly TransactEntry[]) => writeOutcome([...entries, ...fenceEntries(alignment)]);
  if (taken !== undefined) {
    if (await step.take(taken, context)) return 'again';
    // Somebody else decided about the role since: it is no longer the group's.
    return step.unchanged === undefined ? 'again' : write(forget(step.unchanged, taken));
  }
  if (given !== undefined) {
    if (await step.give(given, context)) return 'again';
    if (step.adopted !== undefined) return write(adopt(step.adopted, given));
    skipped.add(givenName(given));
    return 'again';
  }
  return plan.groups === undefined ? 'done' : write(groupsEntries(account, plan));
}

async function readMember({ userId, ...alignment }: Alignment, context: ConnectionContext) {
  const { plans, keys } = await readPlans([userId], alignment, context);
  return plans[0] && { ...plans[0], keys };
}

async function writeOutcome(entries: readonly TransactEntry[]): Promise<'again' | 'conflict'> {
  return (await transact(entries)).kind === 'committed' ? 'again' : 'conflict';
}

interface Seen {
  readonly account: Account;
  readonly plan: GroupPlan;
}

/** A grant that the user has already, by a group of which the account does not know. */
interface Adopted extends Seen {
  readonly grantedAt: string;
}

function forget({ account, plan }: Seen, role: MappedRole): TransactEntry[] {
  const { [givenName(role)]: _, ...given } = account.given;
  return groupsEntries(account, plan, given);
}

/** A role that a group of an earlier directory gave now follows the groups of this one. */
function adopt({ account, plan, grantedAt }: Adopted, role: MappedRole): TransactEntry[] {
  return groupsEntries(account, plan, { ...account.given, [givenName(role)]: grantedAt });
}

/** Gives or takes one role, in one transaction with the groups of the user, as they are when the access is read. */
class RoleStep {
  readonly #alignment: Alignment;
  readonly #keys: readonly Key[];
  /** What was read when the role was not changed, although the plan says so. */
  unchanged: Seen | undefined;
  /** What was read when the role was not given, because a group had given it already. */
  adopted: Adopted | undefined;

  constructor(alignment: Alignment, groupKeys: readonly Key[]) {
    this.#alignment = alignment;
    this.#keys = [accountKey(alignment.userId), ...groupKeys];
  }

  /** Whether anything changed. */
  give(role: MappedRole, context: ConnectionContext): Promise<boolean> {
    return this.#run(role, this.#giving(role), context);
  }

  /** Whether anything changed. */
  take(role: MappedRole, context: ConnectionContext): Promise<boolean> {
    return this.#run(role, this.#taking(role), context);
  }

  /** For a role, an application or a user that is gone there is nothing to do. */
  async #run(role: MappedRole, rule: AccessRule, context: ConnectionContext): Promise<boolean> {
    const { userId } = this.#alignment;
    try {
      return (await changeAccess({ userId, appId: role.appId }, context, rule)).changed;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      const read = await readMember(this.#alignment, context);
      if (read !== undefined && hasRole(read.plan.taken, role)) this.unchanged = read;
      return false;
    }
  }

  /** Unless somebody has assigned it already; remembers that a group gave it. */
  #giving(role: MappedRole): AccessRule {
    const assigned = { role: role.role, expiresAt: null };
    const { extraKeys = [], decide } = assignmentRule(role.appId, assigned, { fromGroup: true });
    return {
      extraKeys: [...extraKeys, ...this.#keys],
      decide: (current, at) => {
        this.adopted = undefined;
        const seen = this.#see(current.extraItems.slice(extraKeys.length));
        const held = current.access.roles[role.role];
        if (seen === undefined || !hasRole(seen.plan.given, role)) return undefined;
        if (held !== undefined && !hasPassed(held.expiresAt, at)) {
          if (isFromGroup(held)) this.adopted = { ...seen, grantedAt: held.grantedAt };
          return undefined;
        }
        const change = decide(current, at);
        const grant = change?.granted?.[role.role];
        if (change === undefined || grant === undefined) return undefined;
        const given = { ...seen.account.given, [givenName(role)]: grant.grantedAt };
        return { ...change, entries: this.#entries(seen, given) };
      },
    };
  }

  /** If the grant is still a group's. One that is older than `fromGroup` is known by its time. */
  #taking(role: MappedRole): AccessRule {
    return {
      extraKeys: this.#keys,
      decide: (current, at) => {
        this.unchanged = undefined;
        const seen = this.#see(current.extraItems);
        if (seen === undefined || !hasRole(seen.plan.taken, role)) return undefined;
        const { [givenName(role)]: grantedAt, ...given } = seen.account.given;
        const isOfGroup = isFromGroup(current.access.roles[role.role]);
        const revocation = { role: role.role, ...(!isOfGroup && { grantedAt }) };
        const change = revocationRule(revocation).decide(current, at);
        if (change === undefined) this.unchanged = seen;
        return change && { ...change, entries: this.#entries(seen, given) };
      },
    };
  }

  #entries({ account, plan }: Seen, given: Account['given']): TransactEntry[] {
    return [...planEntries(account, plan, given), ...fenceEntries(this.#alignment)];
  }

  #see([item, ...groups]: readonly (Item | undefined)[]): Seen | undefined {
    const account = ownAccountOf(item, this.#alignment.connection);
    return account && { account, plan: planOf(account, this.#alignment, groups) };
  }
}
