/** Which application a client of an identity provider logs in to. */
export interface ClientApplication {
  readonly clientId: string;
  readonly appId: string;
}

/** The applications of the clients in the field `clients` of a connection, such as `0oa1=wiki 0oa2=billing`. */
export function clientApplications(clients: string | null): ClientApplication[] {
  if (clients === null) return [];
  return clients.split(' ').map((named) => {
    const [clientId = '', appId = ''] = named.split('=');
    return { clientId, appId };
  });
}

/** The application of a client: the one that the connection names, else the one with the client's own id, which may not exist. */
export function applicationOfClient(clients: string | null, clientId: string): string {
  return clientApplications(clients).find((named) => named.clientId === clientId)?.appId ?? clientId;
}
