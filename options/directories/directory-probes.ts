import { deleteLeftConnection } from '#options/connections/delete-left-connection.ts';
import { bearerRequest } from '#shared/calls/call-bearer-endpoint.ts';
import type { ServiceReply } from '#shared/calls/call-service.ts';
import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual, type Trial } from '#smoke/trial.ts';
import { scimUsersEndpoint } from './contract/scim-endpoints.ts';

/** A directory reads its users. */
export const directoryProbes: OptionProbes = {
  bearer: [{ endpoint: scimUsersEndpoint, does: 'answers a directory', run: listAsDirectory }],
  cleanUp: (manage, appId) => deleteLeftConnection(manage, connectionOf(appId.replace(/^smoke-/, '')).connectionId),
};

/** The connection of a run that is a directory. */
const connectionOf = (id: string) => ({ connectionId: `scim-${id}` });

/** With a connection of its own, which is deleted again. */
async function listAsDirectory({ manage, service, id }: Trial, api: string): Promise<string> {
  const path = connectionOf(id);
  const body = {
    ...path,
    kind: 'scim',
    name: `Smoke test ${id}`,
    applications: [],
    userIdAttribute: 'userName',
  } as const;
  await manage.call('create-connection', { body });
  try {
    const { token } = await manage.call('issue-connection-key', { path });
    const { status, body: list } = await service.send(bearerRequest(api, scimUsersEndpoint, token));
    requireEqual('status', status, 200);
    return requireCount(list);
  } finally {
    await manage.call('delete-connection', { path });
  }
}

function requireCount({ totalResults }: ServiceReply['body']): string {
  requireEqual('totalResults', totalResults, 0);
  return 'no users';
}
