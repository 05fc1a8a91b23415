/** The path of a user's page. */
export function userPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}`;
}

/** The path of an application's page. */
export function applicationPath(appId: string): string {
  return `/applications/${encodeURIComponent(appId)}`;
}

/** The path of the page that shows who has a role, in any application. */
export function rolePath(role: string): string {
  return `/roles/${encodeURIComponent(role)}`;
}

/** The path of the history that shows one change of a user. */
export function changePath(changeId: string, userId: string): string {
  return `/history?${new URLSearchParams({ range: 'change', change: changeId, user: userId })}`;
}
