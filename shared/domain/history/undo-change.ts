import type { Page } from '#shared/contract/answers.ts';
import type { Change, ChangeView, UndoState } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { type HeldRole, includesRole, type OperatorRole, strongestRole } from '#shared/contract/operator-role.ts';
import type { Undone } from '#shared/contract/undo.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { roleRequired } from '#shared/core/operator-roles.ts';
import {
  readExistingChange,
  type UndoableChange,
  undoableApplicationChange,
  undoableChange,
} from '#shared/table/items/read-change.ts';
import { type AccessRule, changeAccess } from '../access/change-access.ts';
import { restoreStatus } from '../access/decide-access-change.ts';
import { performOnce } from '../request/perform-write.ts';
import type { OperatorContext } from '../request/request-context.ts';
import { revocationRule } from '../role/grant-role.ts';
import { restorationRule } from '../role/restore-grant.ts';
import { setUserStatus } from '../user/users.ts';
import { isGenuine } from './verify-changes.ts';

export interface UndoCommand {
  readonly userId: UserId;
  readonly changeId: string;
  /** All roles of the operator, because the application is known only after the Change has been read. */
  readonly heldRoles: readonly HeldRole[];
  /** Finds the item after the Change, where more is undone than this one. Default: it must be the latest of its item. */
  readonly itemAfter?: (change: UndoableChange) => Promise<ItemAfter>;
}

/** An item after a Change, including those later Changes that do not prevent its undo. */
export interface ItemAfter {
  readonly version: number;
  /** Whether the Change is undone, and nothing else has modified the item since. */
  readonly isUndone: boolean;
}

/** The stored part of the answer of either write. */
type StoredUndo = Omit<Undone, 'userId'>;

/**
 * Undoes a Change of an access, a grant or a status: restores the state before it, with the same write as any other change.
 * 412 if the item was modified since; what `itemAfter` finds undone is not changed. Three requests to the table beside those of
 * `itemAfter`; one more with an `Idempotency-Key`.
 */
export async function undoChange(command: UndoCommand, context: OperatorContext): Promise<Undone> {
  const { userId, changeId } = command;
  const undone = ({ appId, changed, changeId: undoId, version }: StoredUndo): Undone => {
    return { userId, ...(appId !== undefined && { appId }), changed, changeId: undoId, version };
  };
  return performOnce(context, undone, async () => {
    const change = await readExistingChange({ userId, changeId });
    const acting = { ...context, caller: { ...context.caller, role: requireSupport(command, change.appId) } };
    const undoable = requireUndoable(change);
    await requireGenuine(change);
    const { itemAfter = asChanged } = command;
    const { version, isUndone } = await itemAfter(undoable);
    const place = change.appId !== undefined && { appId: change.appId };
    if (isUndone) return undone({ ...place, changed: false, changeId: null, version });
    return undone(await writeInverse(undoable, version, acting));
  });
}

/** A Change that is undone alone must be the latest of its item. */
async function asChanged({ after: { version } }: UndoableChange): Promise<ItemAfter> {
  return { version, isUndone: false };
}

/** Changes as shown to an operator with these roles. */
export function viewChanges(page: Page<Change>, heldRoles: readonly HeldRole[]): Page<ChangeView> {
  return {
    ...page,
    items: page.items.map((change): ChangeView => ({ ...change, undo: undoStateOf(change, heldRoles) })),
  };
}

/** Agrees with `undoChange` and `undoApplicationChange`, which may also find that what was changed was modified since. */
function undoStateOf(change: Change, heldRoles: readonly HeldRole[]): UndoState {
  const isOfApplication = undoableApplicationChange(change) !== undefined;
  const role = roleOver(change.appId, { heldRoles, needed: isOfApplication ? 'admin' : 'support' });
  if (role === undefined) return 'role_required';
  return isOfApplication || undoableChange(change) !== undefined ? 'possible' : 'not_undoable';
}

interface NeededRole {
  readonly heldRoles: readonly HeldRole[];
  readonly needed: OperatorRole;
}

/** The role of an operator for this application or, if undefined, for the users themselves; undefined if it does not suffice. */
function roleOver(appId: string | undefined, { heldRoles, needed }: NeededRole): OperatorRole | undefined {
  const role = strongestRole(heldRoles, appId ?? null);
  return role !== undefined && includesRole(role, needed) ? role : undefined;
}

/** That role, or 403 `role_required`. */
function requireSupport({ heldRoles }: UndoCommand, appId: string | undefined): OperatorRole {
  const role = roleOver(appId, { heldRoles, needed: 'support' });
  if (role !== undefined) return role;
  throw roleRequired(
    'support',
    appId === undefined ? 'for all applications' : `for the application ${appId}`,
    heldRoles,
  );
}

/** The change with the data to undo it, or 409 `not_undoable`. */
function requireUndoable(change: Change): UndoableChange {
  const undoable = undoableChange(change);
  if (undoable !== undefined) return undoable;
  throw notUndoable("Only changes of a user's status, access or roles can be undone.");
}

/** Refuses a change that somebody wrote to the table: its undo would set what they chose, in the operator's name. */
export async function requireGenuine(change: Change): Promise<void> {
  if (await isGenuine(change)) return;
  throw notUndoable(
    'The MAC of this change cannot be verified: the service did not write it as it stands. Set the state that is right.',
  );
}

/** The error for a change that cannot be undone: 409. */
export function notUndoable(detail: string): ServiceError {
  return new ServiceError('not_undoable', { detail });
}

/** Writes the inverse, if the item of the same user still has this version. It keeps the change's bulk, so that a bulk and its undo are found together. */
async function writeInverse(change: UndoableChange, version: number, request: OperatorContext): Promise<StoredUndo> {
  const { id: undoOf, userId, bulkId } = change;
  const context = { ...request, bulkId };
  const ifMatch = [version];
  const seenAt = change.at;
  if (change.action === 'user.status.changed') {
    return setUserStatus({ userId, status: change.before.status, ifMatch, seenAt, undoOf }, context);
  }
  const { extraKeys, decide } = inverseRule(change);
  return changeAccess({ userId, appId: change.appId, ifMatch, seenAt }, context, {
    extraKeys,
    decide: (current, at) => {
      const inverse = decide(current, at);
      return inverse && { ...inverse, undoOf };
    },
  });
}

type AccessUndo = Exclude<UndoableChange, { action: 'user.status.changed' }>;

/**
 * Refuses to restore a block or a grant that has expired since: it would look as if it were in effect again. A block that had
 * already expired at the Change is restored as it was.
 */
function inverseRule(change: AccessUndo): AccessRule {
  if (change.action === 'access.changed') {
    const { status, explicit, ...fields } = change.before;
    const setting = { status: explicit ? status : null, ...fields };
    return {
      decide: ({ access }) => {
        if (!hasPassed(fields.until, new Date(change.at))) requireNotExpired('block', fields.until);
        return restoreStatus(access, setting);
      },
    };
  }
  const { before, role } = change;
  if (!before.granted) return revocationRule({ role });
  const { extraKeys, decide } = restorationRule({ ...change, ...before });
  return {
    extraKeys,
    decide: (current, at) => {
      requireNotExpired('grant', before.expiresAt);
      return decide(current, at);
    },
  };
}

function requireNotExpired(what: string, end: string | null): void {
  if (!hasPassed(end, now())) return;
  throw notUndoable(`The ${what} would have expired at ${end}. Set a new one if it is still needed.`);
}
