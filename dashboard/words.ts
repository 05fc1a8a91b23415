import type { AccessStatus, UserStatus } from '#shared/contract/access.ts';

/** The status of an access as operators read it; the API calls it `enabled` or `disabled`. */
export const accessLabels: Readonly<Record<AccessStatus, string>> = { enabled: 'Allowed', disabled: 'Blocked' };

/** The verb that sets the status of an access. */
export const accessVerbs: Readonly<Record<AccessStatus, string>> = { enabled: 'Allow', disabled: 'Block' };

/** The title for setting a status: `Block access to Billing`. */
export function accessTitle(status: AccessStatus, appName: string): string {
  return `${accessVerbs[status]} access to ${appName}`;
}

/** The global status of a user as operators read it. */
export const userStatusLabels: Readonly<Record<UserStatus, string>> = { active: 'Active', inactive: 'Inactive' };

/** The verb that sets the global status of a user. */
export const userStatusVerbs: Readonly<Record<UserStatus, string>> = { active: 'Activate', inactive: 'Deactivate' };

/** The label of a status that was never set. */
export const notSetLabel = 'Not set';

/** A person and the user ID, `Chidi Thomas (E102699)`, or the ID alone if there is no name. */
export function nameUser({ userId, displayName }: NamedPerson): string {
  return displayName ? `${displayName} (${userId})` : userId;
}

interface NamedPerson {
  readonly userId: string;
  readonly displayName?: string | null | undefined;
}
