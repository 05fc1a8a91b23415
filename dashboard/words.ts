import type { AccessStatus, UserStatus } from '#shared/contract/access.ts';

export { accessLabels, nameUser, notSetLabel, userStatusLabels } from '#shared/contract/wording.ts';

/** The verb that sets the status of an access. */
export const accessVerbs: Readonly<Record<AccessStatus, string>> = { enabled: 'Allow', disabled: 'Block' };

/** The title for setting a status: `Block access to Billing`. */
export function accessTitle(status: AccessStatus, appName: string): string {
  return `${accessVerbs[status]} access to ${appName}`;
}

/** The verb that sets the global status of a user. */
export const userStatusVerbs: Readonly<Record<UserStatus, string>> = { active: 'Activate', inactive: 'Deactivate' };
