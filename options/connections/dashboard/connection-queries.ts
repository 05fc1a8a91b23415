/** Query keys of connections. */
export const connectionQueries = {
  all: ['connections'],
  one: (connectionId: string) => ['connection', connectionId],
  keys: (connectionId: string) => ['connection', connectionId, 'keys'],
  activity: (connectionId: string) => ['connection', connectionId, 'activity'],
} as const;
