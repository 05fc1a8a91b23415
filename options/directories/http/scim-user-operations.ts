import { isUserId, type UserId } from '#shared/contract/fields.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { pageOf } from '../scim/directory.ts';
import { invalidFilter } from '../scim/filter.ts';
import { readFilterText, readPage, readUserQuery, type UserQuery } from '../scim/list-query.ts';
import { groupResource, maxPageSize, userResource } from '../scim/resource.ts';
import { scimError } from '../scim/scim-error.ts';
import { selects } from '../scim/selection.ts';
import { readNewUser, readReplacement, readUserPatch, type UserChange } from '../scim/user-change.ts';
import { changeDirectoryUser, readDirectoryUser, removeDirectoryUser } from '../server/change-directory-user.ts';
import { findDirectoryGroups } from '../server/directory-groups.ts';
import { type FoundUsers, findDirectoryUsers } from '../server/find-directory-users.ts';
import { userNotFound } from '../server/open-directory.ts';
import { provisionUser } from '../server/provision-user.ts';
import { listed, resourceResponse, type ScimOperations, type ScimRequest } from './scim-endpoint.ts';
import { scimResponse } from './scim-response.ts';

/** Users in SCIM (RFC 7644 sections 3.3 to 3.6). */
export const userOperations: ScimOperations = {
  ofList: {
    GET: (request) => {
      const query = readUserQuery(request.query);
      return async (context) => {
        const { total, users } = await find(query, context);
        return listed(
          users.map((user) => userResource(user, request.base)),
          { total, startIndex: query.startIndex },
          request,
        );
      };
    },
    POST: (request) => {
      const state = readNewUser(request.body);
      return async (context) => {
        const { user, created } = await provisionUser(state, context);
        return resourceResponse(userResource(user, request.base), request, { created });
      };
    },
  },
  ofResource: {
    GET: (request) => {
      const id = idOf(request);
      return async (context) => {
        const user = await readDirectoryUser({ id }, context);
        return resourceResponse(userResource(user, request.base), request);
      };
    },
    PUT: (request) => change(request, readReplacement(request.body)),
    PATCH: (request) => change(request, readUserPatch(request.body)),
    DELETE: (request) => {
      const { ifMatch } = request;
      const id = idOf(request);
      return async (context) => {
        await removeDirectoryUser({ id, ifMatch }, context);
        return scimResponse(204);
      };
    },
  },
  ofAll: searchAll,
};

/** First the users, then the groups. Their attributes differ, and so do the filters. */
function searchAll({ query, selection, base }: ScimRequest) {
  if (readFilterText(query) !== undefined) {
    throw invalidFilter('is supported only by /Users/.search and /Groups/.search');
  }
  const { startIndex, count } = readPage(query);
  return async (context: ConnectionContext) => {
    const { total, users } = await findDirectoryUsers({ startIndex, count }, context);
    const rest = { startIndex: startIndex - total, count: count - users.length };
    const found = await findDirectoryGroups({ ...rest, withMembers: selects(selection, 'members') }, context);
    return listed(
      [...users.map((user) => userResource(user, base)), ...found.groups.map((group) => groupResource(group, base))],
      { total: total + found.total, startIndex },
      { selection },
    );
  };
}

function change(request: ScimRequest, decide: UserChange) {
  const { ifMatch, base } = request;
  const id = idOf(request);
  return async (context: ConnectionContext) => {
    const user = await changeDirectoryUser({ id, ifMatch }, decide, context);
    return resourceResponse(userResource(user, base), request);
  };
}

function idOf({ id }: ScimRequest): UserId {
  if (isUserId(id)) return id;
  throw userNotFound();
}

/** What the domain does not compare is compared with the few users that the other conditions find. */
async function find(query: UserQuery, context: ConnectionContext): Promise<FoundUsers> {
  const { startIndex, count, conditions, alsoHolds } = query;
  if (alsoHolds === undefined) return findDirectoryUsers({ ...conditions, startIndex, count }, context);
  const { total, users } = await findDirectoryUsers({ ...conditions, startIndex: 1, count: maxPageSize }, context);
  if (total > maxPageSize) throw scimError('tooMany', 'The filter finds too many users. Add a condition.');
  const matching = users.filter(alsoHolds);
  return { total: matching.length, users: pageOf(matching, { startIndex, count }) };
}
