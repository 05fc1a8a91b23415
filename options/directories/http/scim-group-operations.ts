import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { readGroupPatch, readGroupReplacement, readNewGroup } from '../scim/group-change.ts';
import { readGroupQuery } from '../scim/list-query.ts';
import { groupResource } from '../scim/resource.ts';
import { selects } from '../scim/selection.ts';
import { changeDirectoryGroup, createDirectoryGroup } from '../server/change-directory-group.ts';
import { findDirectoryGroups, readDirectoryGroup } from '../server/directory-groups.ts';
import { removeDirectoryGroup } from '../server/remove-directory-group.ts';
import { listed, resourceResponse, type ScimOperations, type ScimRequest } from './scim-endpoint.ts';
import { scimResponse } from './scim-response.ts';

/** Groups in SCIM, which assign roles. Members are read only if the client wants them. */
export const groupOperations: ScimOperations = {
  ofList: {
    GET: (request) => {
      const { conditions, ...page } = readGroupQuery(request.query);
      const sought = { ...conditions, ...page, withMembers: wantsMembers(request) };
      return async (context) => {
        const { total, groups } = await findDirectoryGroups(sought, context);
        return listed(
          groups.map((group) => groupResource(group, request.base)),
          { total, startIndex: page.startIndex },
          request,
        );
      };
    },
    POST: (request) => {
      const wanted = readNewGroup(request.body);
      return async (context) => {
        const group = await createDirectoryGroup(wanted, context);
        return resourceResponse(groupResource(group, request.base), request, { created: true });
      };
    },
  },
  ofResource: {
    GET: read,
    PUT: (request) => {
      const { id, ifMatch, body } = request;
      const changes = readGroupReplacement(body);
      return async (context) => {
        await changeDirectoryGroup({ id, ifMatch }, changes, context);
        return read(request)(context);
      };
    },
    // Entra ID wants no body, and a group may have thousands of members: only who selects attributes gets them (section 3.5.2).
    PATCH: (request) => {
      const { id, ifMatch, body, selection } = request;
      const changes = readGroupPatch(body);
      return async (context) => {
        await changeDirectoryGroup({ id, ifMatch }, changes, context);
        return selection.attributes === undefined ? scimResponse(204) : read(request)(context);
      };
    },
    DELETE:
      ({ id, ifMatch }) =>
      async (context) => {
        await removeDirectoryGroup({ id, ifMatch }, context);
        return scimResponse(204);
      },
  },
};

function wantsMembers({ selection }: ScimRequest): boolean {
  return selects(selection, 'members');
}

function read(request: ScimRequest) {
  const { id, base } = request;
  return async (context: ConnectionContext) => {
    const group = await readDirectoryGroup({ id, withMembers: wantsMembers(request) }, context);
    return resourceResponse(groupResource(group, base), request);
  };
}
