import { changeDirectoryGroup, createDirectoryGroup } from '#shared/domain/scim/change-directory-group.ts';
import { findDirectoryGroups, readDirectoryGroup } from '#shared/domain/scim/directory-groups.ts';
import { removeDirectoryGroup } from '#shared/domain/scim/remove-directory-group.ts';
import type { GroupChange } from '#shared/scim/directory.ts';
import { readGroupPatch, readGroupReplacement, readNewGroup } from '#shared/scim/group-change.ts';
import { readGroupQuery } from '#shared/scim/list-query.ts';
import { groupResource } from '#shared/scim/resource.ts';
import { selects } from '#shared/scim/selection.ts';
import { listed, resourceResponse, type ScimOperations, type ScimRequest } from './scim-endpoint.ts';
import { scimResponse } from './scim-response.ts';

/** Groups in SCIM, which assign roles. Members are read only if the client wants them. */
export const groupOperations: ScimOperations = {
  ofList: {
    GET: async (request) => {
      const { conditions, ...page } = readGroupQuery(request.query);
      const sought = { ...conditions, ...page, withMembers: wantsMembers(request) };
      const { total, groups } = await findDirectoryGroups(sought, request.context);
      return listed(
        groups.map((group) => groupResource(group, request.base)),
        { total, startIndex: page.startIndex },
        request,
      );
    },
    POST: async (request) => {
      const group = await createDirectoryGroup(readNewGroup(request.body), request.context);
      return resourceResponse(groupResource(group, request.base), request, { created: true });
    },
  },
  ofResource: {
    GET: (request) => read(request),
    PUT: async (request) => {
      await change(request, readGroupReplacement(request.body));
      return read(request);
    },
    // Entra ID wants no body, and a group may have thousands of members.
    PATCH: async (request) => {
      await change(request, readGroupPatch(request.body));
      return scimResponse(204);
    },
    DELETE: async ({ id, ifMatch, context }) => {
      await removeDirectoryGroup({ id, ifMatch }, context);
      return scimResponse(204);
    },
  },
};

function wantsMembers({ selection }: ScimRequest): boolean {
  return selects(selection, 'members');
}

async function read(request: ScimRequest) {
  const { id, context, base } = request;
  const group = await readDirectoryGroup({ id, withMembers: wantsMembers(request) }, context);
  return resourceResponse(groupResource(group, base), request);
}

async function change({ id, ifMatch, context }: ScimRequest, changes: GroupChange) {
  await changeDirectoryGroup({ id, ifMatch }, changes, context);
}
