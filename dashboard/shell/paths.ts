/** Where the page of a user is. */
export function userPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}`;
}

/** Where the page of an application is. */
export function applicationPath(appId: string): string {
  return `/applications/${encodeURIComponent(appId)}`;
}
