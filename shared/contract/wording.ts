import type { AccessStatus, DecidedBy, UserStatus } from './access.ts';
import type { Change } from './change.ts';
import { fullRollout } from './rollout.ts';

/** A count with its noun, as the dashboard and the command line show it: `1 user`, `2,500 users`, `2 histories`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/**
 * An operator in readable form: the e-mail address; without one, the subject of the token or the end of the ARN. The subject of
 * a token is never read as an ARN, whatever it looks like.
 */
export function nameOperator({ via, email, id }: NamedOperator): string {
  if (via === 'token') return email ?? `token ${id}`;
  return email ?? id.replace(/^arn:[a-z-]+:(?:iam|sts)::\d*:/, '');
}

/** A caller in readable form: a key by its id, which names its application or connection, an operator as `nameOperator` says, or the service itself. */
export function nameCaller(caller: Change['caller']): string {
  if (caller.kind === 'service') return 'the service';
  return caller.kind === 'operator' ? nameOperator(caller) : caller.keyId;
}

/** The id of a key or an operator; empty for the service itself. */
export function callerId(caller: Change['caller']): string {
  if (caller.kind === 'service') return '';
  return caller.kind === 'operator' ? caller.id : caller.keyId;
}

type NamedOperator = Pick<Extract<Change['caller'], { kind: 'operator' }>, 'via' | 'id'> & {
  readonly email?: string | null;
};

/** The status of an access as people read it; the API calls it `enabled` or `disabled`. */
export const accessLabels: Readonly<Record<AccessStatus, string>> = { enabled: 'Allowed', disabled: 'Blocked' };

/** The access of all users of an application without a setting of their own. */
export function describeOthers(rolloutPercent: number): string {
  if (rolloutPercent >= fullRollout) return `${accessLabels.enabled} by default`;
  if (rolloutPercent === 0) return `${accessLabels.disabled} by the rollout`;
  return `${accessLabels.enabled} for ${rolloutPercent}% by the rollout`;
}

/** What decides the effective status, as people read it. */
export const deciderLabels: Readonly<Record<DecidedBy, string>> = {
  user: 'User inactive',
  explicit: 'Setting',
  lapsed: 'Block expired',
  rollout: 'Rollout',
  default: 'Default',
};

/** The global status of a user as people read it. */
export const userStatusLabels: Readonly<Record<UserStatus, string>> = { active: 'Active', inactive: 'Inactive' };

/** A person and the user ID, `Chidi Thomas (E102699)`, or the ID alone if there is no name. */
export function nameUser({ userId, displayName }: NamedPerson): string {
  return displayName ? `${displayName} (${userId})` : userId;
}

interface NamedPerson {
  readonly userId: string;
  readonly displayName?: string | null | undefined;
}

/** The label of a status that was never set. */
export const notSetLabel = 'Not set';
