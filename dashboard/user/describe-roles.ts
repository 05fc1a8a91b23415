export interface NamedRole {
  readonly appName: string;
  readonly role: string;
}

/** `Billing: editor, viewer · CRM: viewer`. */
export function describeRoles(roles: readonly NamedRole[]): string {
  const names = [...new Set(roles.map(({ appName }) => appName))];
  const rolesIn = (appName: string) => roles.filter((one) => one.appName === appName).map(({ role }) => role);
  return names.map((appName) => `${appName}: ${rolesIn(appName).join(', ')}`).join(' · ');
}
