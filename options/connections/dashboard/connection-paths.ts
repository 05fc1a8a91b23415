/** The path of a connection's page. */
export function connectionPath(connectionId: string): string {
  return `/connections/${encodeURIComponent(connectionId)}`;
}
