import { deleteLeftConnection } from '#options/connections/delete-left-connection.ts';
import { bearerRequest } from '#shared/calls/call-bearer-endpoint.ts';
import type { ServiceReply } from '#shared/calls/call-service.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import { exists } from '#smoke/exists.ts';
import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual, type Trial } from '#smoke/trial.ts';
import { scimGroupsEndpoint, scimUsersEndpoint } from './contract/scim-endpoints.ts';

/** A directory reads its users, and adds a user to a group and removes it. */
export const directoryProbes: OptionProbes = {
  bearer: [
    { endpoint: scimUsersEndpoint, does: 'answers a directory', run: listAsDirectory },
    { endpoint: scimGroupsEndpoint, does: 'adds a member and removes it', run: changeMembers },
  ],
  cleanUp: async (manage, appId) => {
    const id = appId.replace(/^smoke-/, '');
    for (const left of Object.values(connectionIds(id))) await deleteLeftConnection(manage, left);
    const path = { userId: memberOf(id) };
    if (await exists(() => manage.call('get-user', { path }))) await manage.call('delete-user', { path });
  },
};

/** The connections of a run that are directories: one for each probe, because a deleted id is reserved. */
const connectionIds = (id: string) => ({ list: `scim-${id}`, members: `scim-members-${id}` });

/** The user whom the directory of a run creates. */
const memberOf = (id: string) => `smoke-${id}-member`;

type Directory = (endpoint: BearerEndpoint, method: string, more?: string, body?: object) => Promise<ServiceReply>;

/** With a connection of its own, which is deleted again. */
async function asDirectory(
  { manage, service, id }: Trial,
  api: string,
  connectionId: string,
  use: (send: Directory) => Promise<string>,
): Promise<string> {
  const path = { connectionId };
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
    return await use(async (endpoint, method, more = '', resource = undefined) => {
      const { url, headers } = bearerRequest(api, endpoint, token);
      const type = { 'content-type': 'application/scim+json' };
      const sent = { method, url: url + more, headers: { ...headers, ...type } };
      return await service.send({ ...sent, body: resource && JSON.stringify(resource) });
    });
  } finally {
    await manage.call('delete-connection', { path });
  }
}

function listAsDirectory(trial: Trial, api: string): Promise<string> {
  return asDirectory(trial, api, connectionIds(trial.id).list, async (send) => {
    const { status, body: list } = await send(scimUsersEndpoint, 'GET');
    requireEqual('status', status, 200);
    return requireCount(list);
  });
}

function changeMembers(trial: Trial, api: string): Promise<string> {
  return asDirectory(trial, api, connectionIds(trial.id).members, async (send) => {
    const user = await send(scimUsersEndpoint, 'POST', '', { userName: memberOf(trial.id), active: true });
    requireEqual('status of the user', user.status, 201);
    const group = await send(scimGroupsEndpoint, 'POST', '', {
      displayName: 'Smoke',
      members: [{ value: user.body.id }],
    });
    requireEqual('status of the group', group.status, 201);
    const path = `members[value eq "${user.body.id}"]`;
    const change = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [{ op: 'remove', path }] };
    requireEqual(
      'status of the change',
      (await send(scimGroupsEndpoint, 'PATCH', `/${group.body.id}`, change)).status,
      204,
    );
    const { body } = await send(scimGroupsEndpoint, 'GET', `/${group.body.id}`);
    requireEqual('members', [body.members ?? []].flat().length, 0);
    requireEqual('status of the end', (await send(scimGroupsEndpoint, 'DELETE', `/${group.body.id}`)).status, 204);
    return 'no members';
  });
}

function requireCount({ totalResults }: ServiceReply['body']): string {
  requireEqual('totalResults', totalResults, 0);
  return 'no users';
}
