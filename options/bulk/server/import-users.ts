import { unsetFields } from '#shared/contract/field-forms.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { type AccessRule, changeAccess } from '#shared/domain/access/change-access.ts';
import { statusRule } from '#shared/domain/access/set-status.ts';
import {
  itemContexts,
  outcomeOf,
  type PerformPart,
  partOf,
  performParts,
  refuse,
  requireCurrent,
} from '#shared/domain/request/in-bulk.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { requireReason } from '#shared/domain/request/require-reason.ts';
import { assignmentRule, revocationRule } from '#shared/domain/role/grant-role.ts';
import { createUser, setUserStatus, updateUser } from '#shared/domain/user/users.ts';
import { liveGrants } from '#shared/table/items/access-item.ts';
import { readUsers, type User } from '#shared/table/items/user-item.ts';
import type {
  ImportEffect,
  ImportedAccess,
  ImportedChange,
  ImportedRole,
  ImportedUser,
  ImportOutcome,
  ImportProblem,
  ImportUsersBody,
} from '../contract/user-import.ts';

/**
 * Changes users to what is given, each difference with the function and the Change of a single request. A dry run makes the
 * same decisions, and assumes the users that it would have created.
 */
export async function importUsers(
  { users, ...rules }: ImportUsersBody,
  context: OperatorContext,
): Promise<readonly ImportOutcome[]> {
  const { bulkId, dryRun } = rules;
  const ofBulk = { ...context, bulkId, dryRun };
  const contextOf = itemContexts(ofBulk, 'users');
  const require = async () => requireCurrent(bulkId);
  return performParts(ofBulk, require, async (perform) => {
    const stored = await readUsers(users.map(({ userId }) => userId));
    return mapConcurrently(users, (wanted) =>
      importUser({ wanted, current: stored.get(wanted.userId), rules }, contextOf(wanted), perform),
    );
  });
}

/** One user of an import, as given and as stored. */
interface Subject {
  readonly wanted: ImportedUser;
  readonly current: User | undefined;
  readonly rules: Omit<ImportUsersBody, 'users'>;
}

/** One possible change of a user. */
interface Step {
  /** Distinguishes the attempts of this step in a repeated request. */
  readonly name: string;
  readonly about?: Omit<ImportedChange, 'effect'>;
  readonly run: (context: OperatorContext) => Promise<{ readonly changed: boolean }>;
  /** What it did, if it changed anything. */
  readonly effect: () => ImportEffect;
}

/** Runs the steps of a user. After a problem, only a dry run goes on, to report all of them. */
async function importUser(subject: Subject, context: OperatorContext, perform: PerformPart): Promise<ImportOutcome> {
  const { userId } = subject.wanted;
  const changes: ImportedChange[] = [];
  const problems: ImportProblem[] = [];
  for (const { name, about = {}, run, effect } of stepsOf(subject)) {
    const part = partOf(context, `${userId} ${name}`);
    const { outcome, problem } = await outcomeOf(userId, context, () => perform(part, () => run(part)));
    if (outcome === 'changed') changes.push({ effect: effect(), ...about });
    if (problem !== undefined) problems.push({ ...problem, ...about });
    if (problem !== undefined && context.dryRun !== true) break;
  }
  return {
    userId,
    outcome: problems.length > 0 ? 'failed' : changes.length > 0 ? 'changed' : 'unchanged',
    changes,
    problems,
  };
}

/** The status first, so that a user who loses access has lost it before anything else is written. */
function stepsOf(subject: Subject): readonly Step[] {
  const { accesses, roles } = subject.wanted;
  return [
    ...(subject.current === undefined ? creationSteps(subject) : changeSteps(subject, subject.current)),
    ...accesses.map((access) => accessStep(subject, access)),
    ...roles.map((role) => roleStep(subject, role)),
  ];
}

function creationSteps({ wanted, rules }: Subject): readonly Step[] {
  const { userId, status, accesses: _, roles: _roles, ...fields } = wanted;
  const created: Step = {
    name: 'user',
    run: async (context) => {
      if (!rules.create) return refuse(context, notCreated());
      await createUser({ userId, ...fields }, context);
      return { changed: true };
    },
    effect: () => (rules.create ? 'created' : 'updated'),
  };
  if (status !== 'inactive') return [created];
  // Not part of the bulk: undoing it must not activate a user who was never meant to be active.
  const deactivated: Step = {
    name: 'status',
    run: async (context) => {
      const outside = { ...context, bulkId: undefined };
      if (context.dryRun === true) requireReason(outside, {});
      else await setUserStatus({ userId, status }, outside);
      return { changed: true };
    },
    effect: () => 'deactivated',
  };
  return [created, deactivated];
}

function notCreated(): ServiceError {
  return new ServiceError('user_not_found', {
    detail:
      'There is no user with this id, and this import creates no users. Correct the id, or create the user first.',
  });
}

function changeSteps({ wanted, rules }: Subject, current: User): readonly Step[] {
  const { userId, status, accesses: _, roles: _roles, ...fields } = wanted;
  const effect = status === 'active' ? 'reactivated' : 'deactivated';
  const set: Step = {
    name: 'status',
    run: async (context) => {
      if (status === undefined) return { changed: false };
      const needsConfirmation = effect === 'reactivated' && current.status === 'inactive';
      if (needsConfirmation && !rules.reactivate) return refuse(context, unconfirmed(effect));
      // The version confirms that nobody has deactivated the user since.
      return setUserStatus({ userId, status, ifMatch: [current.version] }, context);
    },
    effect: () => effect,
  };
  const updated: Step = {
    name: 'user',
    // The answer to a repeated request that has created the user does not say whether it changed.
    run: async (context) => ({ changed: (await updateUser({ userId, ...fields }, context)).changed !== false }),
    effect: () => 'updated',
  };
  return [set, ...(Object.keys(userFields).some((name) => name in fields) ? [updated] : [])];
}

function accessStep({ wanted, current, rules }: Subject, { appId, status, until }: ImportedAccess): Step {
  let effect: ImportEffect = status === 'disabled' ? 'blocked' : 'allowed';
  const decide: AccessRule['decide'] = (read, at) => {
    const { access } = read;
    const hasLapsed = access.status === 'disabled' && hasPassed(access.until, at);
    const isSet = access.status === status && !hasLapsed;
    const end = until === undefined && isSet ? access.until : (until ?? null);
    if (isSet && end === access.until) return undefined;
    const unblocks = status === 'enabled' && access.status === 'disabled' && !hasLapsed;
    if (unblocks && !rules.unblock) throw unconfirmed('unblocked');
    if (unblocks) effect = 'unblocked';
    return statusRule({ status, until: end, reason: rules.reason }).decide(read, at);
  };
  return {
    name: `access ${appId}`,
    about: { appId },
    run: (context) => {
      const command = { userId: wanted.userId, appId, assumedUser: assumedUser(wanted, current) };
      return changeAccess(command, context, { decide });
    },
    effect: () => effect,
  };
}

function roleStep({ wanted, current }: Subject, { appId, role, status, expiresAt }: ImportedRole): Step {
  const { extraKeys } = assignmentRule(appId, { role, expiresAt: null });
  const decide: AccessRule['decide'] = (read, at) => {
    const held = new Map(liveGrants(read.access, at)).get(role);
    const end = expiresAt === undefined ? (held?.expiresAt ?? null) : expiresAt;
    return assignmentRule(appId, { role, expiresAt: end }).decide(read, at);
  };
  const rule: AccessRule = status === 'revoked' ? revocationRule({ role }) : { extraKeys, decide };
  return {
    name: `role ${appId} ${role}`,
    about: { appId, role },
    run: (context) => {
      const command = { userId: wanted.userId, appId, assumedUser: assumedUser(wanted, current) };
      return changeAccess(command, context, rule);
    },
    effect: () => status,
  };
}

/** The user that a dry run would have created; its accesses begin empty. */
function assumedUser({ userId, status = 'active' }: ImportedUser, current: User | undefined): User | undefined {
  if (current !== undefined) return undefined;
  const at = now().toISOString();
  const unset = { statusChangeId: null, lastChangeId: '', chainHead: '', words: '' };
  return { userId, status, ...unsetFields(userFields), version: 1, createdAt: at, updatedAt: at, ...unset };
}

function unconfirmed(effect: 'reactivated' | 'unblocked'): ServiceError {
  const [is, flag] = effect === 'reactivated' ? ['inactive', 'reactivate'] : ['blocked in the application', 'unblock'];
  return invalidField('status', `would change: the user is ${is}, and would be ${effect}; confirm it with "${flag}"`);
}
