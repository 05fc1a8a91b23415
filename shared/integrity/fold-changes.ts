import { accessFields } from '#shared/contract/access-fields.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { optionalApplicationFields } from '#shared/contract/application-fields.ts';
import { fieldNames, unsetFields } from '#shared/contract/field-forms.ts';
import { personalFields } from '#shared/contract/personal-fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { type ExportedChange, isDeletion, subjectOf } from './chain-breaks.ts';

type Scalar = string | number | boolean | null;
type RecordedState = Readonly<Record<string, Scalar>>;

/** The state of a subject by name; parts of it have names such as `expiresAt of role editor`. */
export type State = Readonly<Record<string, Scalar>>;

/** The state in which the changes of a user, an access, a role or an application leave it. */
export interface Folded {
  /** The last change. */
  readonly last: ExportedChange;
  readonly isDeleted: boolean;
  /** Whether the first change of the chain is known, so that `state` has everything that was ever set. */
  readonly isWhole: boolean;
  readonly state: State;
}

/** A change whose `before` is not the state in which the previous changes left its subject. */
export interface Discontinuity {
  readonly change: ExportedChange;
  readonly after: ExportedChange;
  /** The names that differ. */
  readonly names: readonly string[];
}

/** The states of all subjects, by the name that `subjectOf` gives them. */
export interface FoldedChanges {
  readonly subjects: ReadonlyMap<string, Folded>;
  readonly discontinuities: readonly Discontinuity[];
}

/**
 * Folds verified changes into the states that they produce. A change that follows one that is missing starts from its own
 * `before`.
 */
export function foldChanges(changes: readonly ExportedChange[]): FoldedChanges {
  const folding = new Folding();
  for (const change of changes.toSorted((one, other) => (one.id < other.id ? -1 : 1))) folding.add(change);
  return folding;
}

class Folding implements FoldedChanges {
  readonly subjects = new Map<string, Folded>();
  readonly discontinuities: Discontinuity[] = [];
  /** By user. */
  readonly #accesses = new Map<string, Set<string>>();

  add(change: ExportedChange): void {
    const subject = subjectOf(change);
    const known = this.subjects.get(subject);
    const isDuplicate = known !== undefined && headOf(known.last) === headOf(change);
    if (isDuplicate) return;
    const followed = known !== undefined && change.integrity?.previous === headOf(known.last) ? known : undefined;
    if (followed !== undefined) this.#compare(followed, change);
    this.subjects.set(subject, next(followed?.isDeleted === true ? undefined : followed, change));
    if (change.userId !== undefined) this.#noteAccess(subject, change, change.userId);
  }

  #compare({ state, last, isDeleted }: Folded, change: ExportedChange): void {
    const names = isDeleted ? [] : differingNames(state, change);
    if (names.length > 0) this.discontinuities.push({ change, after: last, names });
  }

  /** The accesses of a user end with it, without changes. */
  #noteAccess(subject: string, { action, appId }: ExportedChange, userId: string): void {
    const known = this.#accesses.get(userId) ?? new Set();
    this.#accesses.set(userId, appId === undefined ? known : known.add(subject));
    if (action !== 'user.deleted') return;
    for (const access of known) this.subjects.delete(access);
    this.#accesses.delete(userId);
  }
}

function next(known: Folded | undefined, change: ExportedChange): Folded {
  const begins = isBeginning(change);
  const start = known?.state ?? (begins ? beginning(change) : stateIn(change, recordedOf(change.before)));
  const isDeleted = isDeletion(change);
  const added = stateIn(change, recordedOf(change.after));
  const state = { ...(isRedacted(change) ? harmlessPart(start) : start), ...renewed(start, change), ...added };
  return { last: change, isDeleted, isWhole: known?.isWhole ?? begins, state: { ...state, chainHead: headOf(change) } };
}

/** What only the change itself says. */
function renewed(start: State, change: ExportedChange): State {
  const { action, role = '', keyId = '', at, id } = change;
  const fromGroup = { [`fromGroup of role ${role}`]: false };
  if (action === 'role.revoked') return fromGroup;
  if (action === 'role.assigned')
    return { ...fromGroup, [`grantedAt of role ${role}`]: String(at), [`changeId of role ${role}`]: id };
  if (action === 'application.reviewed') return { reviewChangeId: id };
  if (action === 'key.issued') return { [`revokedAt of key ${keyId}`]: null };
  if (action !== 'key.rotated') return {};
  const { keyId: old, newExpiresAt } = recordedOf(change.after);
  const inherited = ['scopes', ...fieldNames(keyFields)].flatMap((name) => {
    const value = start[`${name} of key ${old}`];
    return value === undefined ? [] : [[`${name} of key ${keyId}`, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    [`revokedAt of key ${keyId}`]: null,
    ...(newExpiresAt !== undefined && { [`expiresAt of key ${keyId}`]: newExpiresAt }),
  };
}

/** The part of a subject's state before its first change that the change does not contain. */
function beginning({ action, userId, at }: ExportedChange): State {
  if (action.startsWith('user.')) return { ...unsetFields(userFields), createdAt: String(at) };
  if (userId !== undefined) return { status: 'enabled', explicit: false, ...unsetFields(accessFields) };
  if (action === 'application.created') return { ...unsetFields(optionalApplicationFields), createdAt: String(at) };
  return { createdAt: String(at) };
}

function isBeginning({ before, integrity }: ExportedChange): boolean {
  return integrity?.previous === null || before === null || recordedOf(before).version === 0;
}

/** The state before or after a change, by the names that its subject's state has. */
function stateIn({ role, keyId, webhookId, userId }: ExportedChange, recorded: RecordedState): State {
  const { keyId: rotated, newExpiresAt: _, ...members } = recorded;
  const key = rotated ?? keyId;
  const part = userId !== undefined && role !== undefined ? `role ${role}` : keyPart(key, webhookId);
  const named = Object.entries(members).map(([name, value]) => {
    return [part === '' || name === 'version' ? name : `${name} of ${part}`, value] as const;
  });
  return Object.fromEntries(named);
}

function keyPart(key: unknown, webhookId: unknown): string {
  if (webhookId !== undefined) return `webhook ${webhookId}`;
  return key === undefined ? '' : `key ${key}`;
}

function differingNames(state: State, change: ExportedChange): string[] {
  const before = Object.entries(stateIn(change, recordedOf(change.before))).sort();
  return before.flatMap(([name, value]) => {
    const known = state[name];
    // A grant expires without a change.
    const mayHaveExpired = name.includes(' of role ') && (value === false || value === null);
    return known === undefined || known === value || mayHaveExpired ? [] : [name];
  });
}

function isRedacted({ integrity }: ExportedChange): boolean {
  return integrity?.salt === undefined;
}

/** What a redacted change may have changed without saying so is unknown after it. */
function harmlessPart(state: State): State {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !isPersonal(name)));
}

/** Whether a name is that of personal data, also as a part such as `url of webhook backend`. */
export function isPersonal(name: string): boolean {
  return personalFields.has(name.split(' of ', 1)[0] ?? '');
}

function headOf({ integrity }: ExportedChange): string {
  return integrity?.mac ?? '';
}

function recordedOf(recorded: unknown): RecordedState {
  return typeof recorded === 'object' && recorded !== null ? (recorded as RecordedState) : {};
}
