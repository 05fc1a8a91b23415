interface Row {
  readonly group: string;
  readonly appId: string;
  readonly role: string;
}

/** The mapping of groups to roles as a Change records it, in which every value is a text. */
export function groupRolesText(groupRoles: readonly Row[]): string {
  return `[${groupRoles.map(groupRoleText).join(',')}]`;
}

/** A role of a group as a text. */
export function groupRoleText({ group, appId, role }: Row): string {
  return JSON.stringify([group, appId, role]);
}

/** The text of a mapping in words, such as `Editors: editor of wiki`. Not parsed by its schema, which every page would load. */
export function describeGroupRoles(text: unknown): string {
  if (text === null) return 'none';
  const rows: readonly (readonly string[])[] = JSON.parse(String(text));
  return rows.map(([group, appId, role]) => `${group}: ${role} of ${appId}`).join(', ') || 'none';
}
