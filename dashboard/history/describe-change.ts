import type { Change, ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import { localTimeText } from '../lists/local-time.tsx';

const actions: Readonly<Record<ChangeAction, string>> = {
  'user.created': 'User created',
  'user.updated': 'User changed',
  'user.deleted': 'User erased',
  'user.status.changed': 'Global status',
  'access.changed': 'Access',
  'role.assigned': 'Role assigned',
  'role.revoked': 'Role taken back',
  'role.defined': 'Role defined',
  'role.deleted': 'Role deleted',
  'application.created': 'Application created',
  'application.updated': 'Application changed',
  'application.deleted': 'Application deleted',
  'key.issued': 'Key issued',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
};

/** What happened, in two or three words; of an action that this page does not know yet, its name. */
export function describeAction({ action }: Change): string {
  return (actions as Readonly<Record<string, string>>)[action] ?? action;
}

/** Who did it, as people know them: an e-mail address, the end of an IAM ARN, or an application and its key. */
export function describeCaller(caller: Change['caller']): string {
  if (caller.kind === 'api-key') return `${caller.appId}, key …${caller.keyId.slice(-6)}`;
  return caller.email ?? caller.id.replace(/^arn:aws[\w-]*:\w+::\d+:/, '');
}

/** One member that differs between before and after. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const silent = new Set(['version', 'explicit', 'granted', 'reason', 'updatedAt', 'createdAt', 'keyId']);
const labels: Readonly<Record<string, string>> = {
  displayName: 'name',
  email: 'e-mail',
  expiresAt: 'until',
  revokedAt: 'revoked',
};

/** What differs; versions and moments of writing are no news. */
export function differences({ before, after }: Change): Difference[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .sort((one, other) => Number(other === 'status') - Number(one === 'status') || one.localeCompare(other))
    .filter((name) => !silent.has(name))
    .map((name) => ({ name: labels[name] ?? name, before: show(before, name), after: show(after, name) }))
    .filter((one) => one.before !== one.after && !(one.before === undefined && one.after === 'none'));
}

function show(side: ChangeSide | null, name: string): string | undefined {
  const value = side?.[name];
  if (value === undefined) return undefined;
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return /^\d{4}-\d\d-\d\dT/.test(String(value)) ? localTimeText(String(value)) : String(value);
}
