import type { Change, ChangeAction, RecordedState } from './change.ts';
import { type OptionAction, optionChanges } from './option-changes.ts';
import { accessLabels, notSetLabel, userStatusLabels } from './wording.ts';

const coreLabels: Readonly<Record<Exclude<ChangeAction, OptionAction>, string>> = {
  'user.created': 'User created',
  'user.updated': 'User updated',
  'user.deleted': 'User deleted',
  'user.status.changed': 'Global status changed',
  'access.changed': 'Access changed',
  'role.assigned': 'Role assigned',
  'role.revoked': 'Role removed',
  'role.defined': 'Role defined',
  'role.deleted': 'Role deleted',
  'application.created': 'Application created',
  'application.updated': 'Application updated',
  'application.deleted': 'Application deleted',
  'application.reviewed': 'Access reviewed',
  'key.issued': 'Key issued',
  'key.updated': 'Key label changed',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
};

/** Each action in two or three words. */
export const actionLabels: Readonly<Record<ChangeAction, string>> = { ...coreLabels, ...optionChanges.actions };

const actionLabel = (action: string) => (actionLabels as Readonly<Record<string, string>>)[action] ?? action;

/** The action in two or three words; for an unknown action, its name in the API. */
export function describeAction({ action }: { readonly action: string }): string {
  return actionLabel(action);
}

/** Shows a timestamp. */
export type FormatTime = (at: string) => string;

/** One field that differs between before and after. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What every write changes. */
const bookkeeping = ['version', 'updatedAt', 'createdAt'];
const omittedDifferences = new Set([
  ...bookkeeping,
  'explicit',
  'granted',
  'reason',
  'keyId',
  'secretId',
  'previousSecretId',
]);
const omittedStates = new Set([...bookkeeping, 'explicit', 'keyId']);

/** The fields that differ, without those that every write changes or that are shown elsewhere. */
export function differences({ before, after }: Pick<Change, 'before' | 'after'>, formatTime: FormatTime): Difference[] {
  // Setting a status is a difference even if it equals the default: the rollout no longer decides.
  const stored = before?.status === after?.status ? withNotSet(before) : before;
  return namesIn(stored, after, omittedDifferences)
    .map((name) => {
      const [from, to] = [show(stored, name, formatTime), show(after, name, formatTime)];
      return { name: labelOf(name), before: from, after: to };
    })
    .filter((one) => one.before !== one.after && !(one.before === undefined && one.after === 'none'))
    .map((one) => (one.before === 'none' ? { ...one, before: undefined } : one));
}

/** The state before or after a change, such as `Status: Blocked; Until: …`; empty if there was none. */
export function describeState(recorded: RecordedState | null, formatTime: FormatTime): string {
  const state = withNotSet(recorded);
  return namesIn(state, null, omittedStates)
    .filter((name) => state?.[name] !== null)
    .map((name) => `${labelOf(name)}: ${show(state, name, formatTime)}`)
    .join('; ');
}

/** The state in which a status that was never set is not shown as its default. */
function withNotSet(recorded: RecordedState | null): RecordedState | null {
  return recorded?.explicit === false ? { ...recorded, status: 'not set' } : recorded;
}

/** The names of the members of two states, the status first. */
function namesIn(one: RecordedState | null, other: RecordedState | null, omitted: ReadonlySet<string>): string[] {
  return [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])]
    .sort((name, next) => Number(next === 'status') - Number(name === 'status') || name.localeCompare(next))
    .filter((name) => !omitted.has(name));
}

const labels: Readonly<Record<string, string>> = {
  displayName: 'Name',
  email: 'E-mail',
  expiresAt: 'Until',
  newExpiresAt: 'New key until',
  revokedAt: 'Revoked',
  rolloutPercent: 'Rollout',
  requestsPerSecond: 'Requests per second',
  requireReason: 'Reasons required of',
  reviewEveryDays: 'Days between reviews',
  reviewedAsOf: 'List read',
  laterChanges: 'Changes after the list',
  fromGroup: 'By a group',
  ...optionChanges.labels,
};

function labelOf(name: string): string {
  return labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

const statusLabels: Readonly<Record<string, string>> = {
  ...accessLabels,
  ...userStatusLabels,
  'not set': notSetLabel,
};

function show(recorded: RecordedState | null, name: string, formatTime: FormatTime): string | undefined {
  const value = recorded?.[name];
  if (value === undefined) return undefined;
  const ofOption = Object.hasOwn(optionChanges.describe, name) ? optionChanges.describe[name] : undefined;
  if (ofOption !== undefined) return ofOption(value, { state: recorded ?? {}, actionLabel });
  if (value === null) return 'none';
  if (name === 'status') return statusLabels[String(value)] ?? String(value);
  if (name === 'rolloutPercent') return `${value}%`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return /^\d{4}-\d\d-\d\dT/.test(String(value)) ? formatTime(String(value)) : String(value);
}
