import { isDeepStrictEqual } from 'node:util';
import { includesRole } from '#shared/contract/operator-role.ts';
import type { Item } from '../../../local/memory/memory-table.ts';
import type { CallRecord } from '../clients.ts';
import { recordedRole } from '../operators.ts';
import type { Run } from '../run-seed.ts';
import {
  accessOf,
  applicationKey,
  isLive,
  type RecordedState,
  roleKey,
  type StoredChange,
  subjectOf,
  userChangeKey,
  userKey,
} from '../stored-state.ts';
import { bounds } from '../swarm.ts';
import { effectsOf } from './acknowledged.ts';
import { wrongChangeRecord } from './answers.ts';
import type { Told } from './during-call.ts';
import { Histories } from './histories.ts';
import { partsOf } from './parts.ts';

/**
 * Checks that undoing restores exactly the state before the change, directly after it, or is refused for a reason that was true
 * at some instant; and that a bulk is undone as a whole.
 */
export function checkUndo(run: Run): string[] {
  const histories = new Histories(run.commits);
  return run.calls.flatMap((call) => {
    const { operation, outcome } = call;
    if (outcome === undefined || !operation.startsWith('undo-')) return [];
    const single = { operation, outcome, input: call.input as Told['input'] };
    const undos = operation === 'undo-bulk' ? partsOf(call) : [single];
    const wrong = undos.flatMap((told) => new Undo(told, call, run, histories).wrong());
    return [...wrong, ...missedOf(call, run)].map((text) => `${call.id} ${JSON.stringify(call.input)}: ${text}`);
  });
}

class Undo {
  readonly #told: Told;
  readonly #call: CallRecord;
  readonly #run: Run;
  readonly #histories: Histories;

  constructor(told: Told, call: CallRecord, run: Run, histories: Histories) {
    this.#told = told;
    this.#call = call;
    this.#run = run;
    this.#histories = histories;
  }

  wrong(): string[] {
    const { outcome, input } = this.#told;
    const undone = this.#run.changes.find(({ change }) => change.id === input.changeId)?.change;
    const [effect] = effectsOf({ ...this.#call, operation: 'undo-change', input }, this.#run.changes);
    if (outcome.kind === 'failed') return [];
    if (outcome.kind === 'done') {
      return undone === undefined ? ['there was no such change'] : this.#wrongDone(undone, effect?.change);
    }
    if (outcome.status === 503) return [];
    if (effect !== undefined) return [`was refused with ${outcome.code}, but took effect`];
    return this.#isRefusedRightly(outcome.code, undone) ? [] : [`nothing justified ${outcome.code}`];
  }

  #wrongDone(undone: StoredChange, made: StoredChange | undefined): string[] {
    const { outcome } = this.#told;
    if (!undoable.includes(undone.action)) return [`${undone.action} cannot be undone`];
    if (!this.#mayUndo(undone)) return ['the operator lacks the role'];
    if (outcome.kind === 'done' && outcome.body.changed === false) {
      return this.#wasRestored(undone) ? [] : ['the state before was not restored'];
    }
    if (made === undefined) return ['it was acknowledged, but is missing'];
    if (this.#hadEnded(undone)) return ['what it restored had expired'];
    if (made.action === 'role.assigned' && this.#wasRedefined(undone)) return ['it granted another role of this name'];
    const record = wrongChangeRecord(this.#call, {}, made);
    const isLast = made.before?.version === undone.after?.version || this.#isOnlyOfBulk(undone, made);
    return [
      ...wrongInverse(undone, made),
      ...(isLast ? [] : [`version ${undone.after?.version} was no longer the last`]),
      ...(record === undefined ? [] : [record]),
    ];
  }

  /** Whether a whole bulk is undone, and nothing else has modified the item since the change. */
  #isOnlyOfBulk(undone: StoredChange, made: StoredChange): boolean {
    if (this.#call.operation !== 'undo-bulk') return false;
    const subject = subjectOf(undone);
    return this.#run.changes
      .map(({ change }) => change)
      .filter((change) => change.userId === undone.userId && isDeepStrictEqual(subjectOf(change), subject))
      .filter(({ after }) => Number(after?.version) > Number(undone.after?.version))
      .filter(({ after }) => Number(after?.version) <= Number(made.before?.version))
      .every(({ bulkId }) => bulkId === undone.bulkId);
  }

  #isRefusedRightly(code: string, undone: StoredChange | undefined): boolean {
    const { userId, appId = '', changeId } = this.#told.input;
    if (code === 'change_not_found') return this.#at(userChangeKey(userId, String(changeId))).includes(undefined);
    if (code === 'application_not_found' && appId !== '') return this.#isGone(applicationKey(appId));
    if (undone === undefined) return false;
    switch (code) {
      case 'not_undoable':
        // Whether a group still gives the role is known by the directory's option.
        return !undoable.includes(undone.action) || this.#hasEnded(undone) || undone.before?.fromGroup === true;
      case 'version_mismatch':
        return this.#at(subjectOf(undone)).some((item) => (item?.version ?? 0) !== undone.after?.version);
      case 'user_not_found':
        return this.#isGone(userKey(userId));
      case 'application_not_found':
        return this.#isGone(applicationKey(undone.appId ?? ''));
      case 'role_not_found':
        return this.#at(roleKey(undone.appId ?? '', undone.role ?? '')).some(
          (role) => !isLive(role) || String(role.createdAt) > undone.at,
        );
      case 'role_required':
        return !this.#mayUndo(undone);
      default:
        return false;
    }
  }

  #mayUndo({ appId }: StoredChange): boolean {
    return this.#call.attempts.some(
      ({ operator }) => operator !== undefined && includesRole(recordedRole(operator, appId), 'support'),
    );
  }

  /** Whether the block or the grant has ended since the change, by the clock of any process. */
  #hasEnded({ before }: StoredChange): boolean {
    const end = before?.until ?? before?.expiresAt;
    return typeof end === 'string' && Date.parse(end) <= this.#to + bounds.skewMilliseconds;
  }

  /** Whether it had ended before the undoing began, by the clock of every process. */
  #hadEnded({ at, before }: StoredChange): boolean {
    const end = before?.until ?? before?.expiresAt;
    if (typeof end !== 'string' || end <= at) return false;
    return Date.parse(end) < this.#call.startedAt - 2 * bounds.skewMilliseconds - 1000;
  }

  #wasRedefined({ at, appId = '', role = '' }: StoredChange): boolean {
    return this.#at(roleKey(appId, role)).every((found) => String(found?.createdAt) > at);
  }

  /** Whether nothing was left to undo: it was undone before as a part of the bulk, or a grant had expired. */
  #wasRestored(undone: StoredChange): boolean {
    const { role = '', before, after } = undone;
    if (this.#call.operation === 'undo-bulk' && this.#wasUndone(undone)) return true;
    if (before?.granted !== false) return false;
    return this.#at(subjectOf(undone)).some((item) => {
      if (item === undefined || item.version !== after?.version) return false;
      const { expiresAt } = accessOf(item).roles[role] ?? { expiresAt: '' };
      return expiresAt !== null && (expiresAt === '' || Date.parse(expiresAt) <= this.#to + bounds.skewMilliseconds);
    });
  }

  /** Whether it was undone by the end of the call, and before its beginning nothing but the bulk changed the item again. */
  #wasUndone({ id, userId, bulkId, appId }: StoredChange): boolean {
    const undo = this.#run.changes.find(({ change, at }) => change.undoOf === id && at <= this.#to);
    if (undo === undefined) return false;
    return this.#run.changes
      .filter(({ change, at }) => change.id > undo.change.id && at <= this.#call.startedAt && change.userId === userId)
      .filter(({ change }) => change.appId === appId)
      .every(({ change }) => change.bulkId === bulkId && change.undoOf !== undo.change.id);
  }

  #isGone(key: Parameters<Histories['during']>[0]): boolean {
    return this.#at(key).some((item) => !isLive(item));
  }

  #at(key: Parameters<Histories['during']>[0]): (Item | undefined)[] {
    return this.#histories.during(key, this.#call.startedAt, this.#to);
  }

  get #to(): number {
    return this.#call.endedAt ?? Number.POSITIVE_INFINITY;
  }
}

const undoable = ['access.changed', 'role.assigned', 'role.revoked', 'user.status.changed'];

function wrongInverse(undone: StoredChange, made: StoredChange): string[] {
  const [from, to] = [undone.before ?? {}, made.after ?? {}];
  const grants = from.granted === true ? 'role.assigned' : 'role.revoked';
  const action = undone.action.startsWith('role.') ? grants : undone.action;
  const { userId, appId, role } = undone;
  const isSubject =
    isDeepStrictEqual(subjectOf({ ...made, role: made.role ?? '' }), subjectOf(undone)) && made.role === role;
  return [
    ...(made.action === action ? [] : [`${made.action} undoes ${undone.action}`]),
    ...(isSubject ? [] : [`it changed something else than ${userId} ${appId} ${role}`]),
    ...(isDeepStrictEqual(withoutVersion(from), withoutVersion(to))
      ? []
      : [`it restored ${JSON.stringify(to)} instead of ${JSON.stringify(from)}`]),
  ];
}

function withoutVersion({ version: _, ...fields }: RecordedState): RecordedState {
  return fields;
}

/** Changes of the bulk that the index had when it was undone, and that were left out; or others. */
function missedOf({ operation, input, outcome, startedAt }: CallRecord, { changes, swarm, items }: Run): string[] {
  if (operation !== 'undo-bulk' || outcome?.kind !== 'done') return [];
  const { bulkId, appId } = input as { readonly bulkId: string; readonly appId?: string };
  const named = (outcome.body.items as readonly { readonly changeId: string }[]).map(({ changeId }) => changeId);
  const own = changes.filter(
    ({ change }) => change.bulkId === bulkId && change.appId === appId && change.undoOf === undefined,
  );
  const kept = new Set(items.map(({ id }) => id));
  // Undoing an import keeps the users that it created, and their names.
  const listed = own.filter(({ change }) => undoable.includes(change.action));
  const visible = listed.filter(
    ({ change, at }) => kept.has(change.id) && at < startedAt - (swarm?.table.indexLagMilliseconds ?? 0),
  );
  return [
    ...named
      .filter((id, at) => named.indexOf(id) !== at || own.every(({ change }) => change.id !== id))
      .map((id) => `${id} is not of the bulk`),
    ...(outcome.body.cursor === null ? visible : [])
      .filter(({ change }) => !named.includes(change.id))
      .map(({ change }) => `${change.id} was left out`),
  ];
}
