import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import type { TableUse } from '#shared/contract/table-use.ts';

/** What an endpoint for connections does with the table, from which the permissions of its function derive. */
export function bearerUseOf({ name, kind }: BearerEndpoint): TableUse {
  if (kind === 'evaluate') return { reads: ['connection', 'application', 'user', 'format'] };
  return name === 'scim-groups' ? groupUse : userUse;
}

/** A user who is removed leaves the groups, which takes roles; only the groups give any. */
const userUse: TableUse = {
  reads: ['connection', 'directory', 'application', 'user', 'format'],
  queries: ['directory'],
  writes: {
    PutItem: ['user', 'userList', 'directory', 'search', 'feed'],
    UpdateItem: ['user', 'directory'],
    DeleteItem: ['userList', 'member', 'directory', 'search'],
    ConditionCheckItem: ['user'],
  },
};

const groupUse: TableUse = {
  reads: ['connection', 'directory', 'application', 'user', 'format'],
  queries: ['directory'],
  writes: {
    PutItem: ['user', 'member', 'accessEntry', 'directory', 'feed'],
    UpdateItem: ['user', 'directory'],
    DeleteItem: ['member', 'directory'],
    ConditionCheckItem: ['user', 'directory'],
  },
};
