import type { Change, ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import { nameOperator } from '#shared/contract/wording.ts';
import { localTimeText } from '../lists/local-time.tsx';
import { accessLabels, notSetLabel, userStatusLabels } from '../words.ts';

/** Each action in two or three words. */
export const actionLabels: Readonly<Record<ChangeAction, string>> = {
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
  'key.issued': 'Key issued',
  'key.updated': 'Key label changed',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
};

/** The action in two or three words; for an unknown action, its name in the API. */
export function describeAction({ action }: Change): string {
  return (actionLabels as Readonly<Record<string, string>>)[action] ?? action;
}

/** The caller in readable form: an operator, with the role if it was recorded, or an application and its key. */
export function describeCaller(caller: Change['caller']): string {
  if (caller.kind === 'api-key') return `${caller.appId}, key …${caller.keyId.slice(-6)}`;
  return caller.role === undefined ? nameOperator(caller) : `${nameOperator(caller)} (${caller.role})`;
}

/** The caller's id, and the issuer of a token. */
export function identifyCaller(caller: Change['caller']): string {
  if (caller.kind === 'api-key') return caller.keyId;
  return caller.issuer === undefined ? caller.id : `${caller.id} of ${caller.issuer}`;
}

/** One field that differs between before and after. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const omittedFields = new Set(['version', 'explicit', 'granted', 'reason', 'updatedAt', 'createdAt', 'keyId']);
const labels: Readonly<Record<string, string>> = {
  displayName: 'Name',
  email: 'E-mail',
  expiresAt: 'Until',
  revokedAt: 'Revoked',
  rolloutPercent: 'Rollout',
  requestsPerSecond: 'Requests per second',
  requireReason: 'Reasons required of',
};

/** The fields that differ, without those that every write changes or that are shown elsewhere. */
export function differences({ before: stored, after }: Change): Difference[] {
  // Setting a status is a difference even if it equals the default: the rollout no longer decides.
  const wasUnset = stored?.explicit === false && stored.status === after?.status;
  const before = wasUnset ? { ...stored, status: 'not set' } : stored;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .sort((one, other) => Number(other === 'status') - Number(one === 'status') || one.localeCompare(other))
    .filter((name) => !omittedFields.has(name))
    .map((name) => ({ name: labelOf(name), before: show(before, name), after: show(after, name) }))
    .filter((one) => one.before !== one.after && !(one.before === undefined && one.after === 'none'))
    .map((one) => (one.before === 'none' ? { ...one, before: undefined } : one));
}

function labelOf(name: string): string {
  return labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

const statusLabels: Readonly<Record<string, string>> = {
  ...accessLabels,
  ...userStatusLabels,
  'not set': notSetLabel,
};

function show(side: ChangeSide | null, name: string): string | undefined {
  const value = side?.[name];
  if (value === undefined) return undefined;
  if (value === null) return 'none';
  if (name === 'status') return statusLabels[String(value)] ?? String(value);
  if (name === 'rolloutPercent') return `${value}%`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return /^\d{4}-\d\d-\d\dT/.test(String(value)) ? localTimeText(String(value)) : String(value);
}
