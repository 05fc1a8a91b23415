import type { DirectoryGroup, DirectoryUser, IndexPage, JsonObject } from './directory.ts';
import { groupSchema } from './group-schema.ts';
import { enterpriseSchema, userSchema } from './user-schema.ts';

/** Where the resources are: the address of the service with `/scim/v2`. */
export type BaseUrl = string;

/** A resource, with what `meta` says of it. */
export interface ScimResource extends JsonObject {
  readonly id: string;
  readonly meta: { readonly location: string; readonly version: string; readonly [name: string]: string };
}

/** A user as SCIM represents it, with all that the directory has sent: what is missing, it would send again. */
export function userResource(user: DirectoryUser, base: BaseUrl): ScimResource {
  const { id, externalId, userName, active, attributes, groups } = user;
  const hasEnterprise = enterpriseSchema.id in attributes;
  return {
    schemas: [userSchema.id, ...(hasEnterprise ? [enterpriseSchema.id] : [])],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    active,
    ...attributes,
    groups: groups.map((group) => ({
      value: group.id,
      $ref: locationOf('Group', group.id, base),
      display: group.displayName,
      type: 'direct',
    })),
    meta: metaOf('User', user, base),
  };
}

/** A group as SCIM represents it. */
export function groupResource(group: DirectoryGroup, base: BaseUrl): ScimResource {
  const { id, externalId, displayName, members } = group;
  return {
    schemas: [groupSchema.id],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members !== undefined && {
      members: members.map((userId) => ({ value: userId, $ref: locationOf('User', userId, base), type: 'User' })),
    }),
    meta: metaOf('Group', group, base),
  };
}

type ResourceType = 'User' | 'Group';
type Dated = Pick<DirectoryUser, 'version' | 'createdAt' | 'updatedAt'> & { readonly id: string };

function metaOf(
  resourceType: ResourceType,
  { id, version, createdAt, updatedAt }: Dated,
  base: BaseUrl,
): ScimResource['meta'] {
  return {
    resourceType,
    created: createdAt,
    lastModified: updatedAt,
    location: locationOf(resourceType, id, base),
    version: entityTag(version),
  };
}

/** The address of a resource. */
export function locationOf(resourceType: ResourceType, id: string, base: BaseUrl): string {
  return `${base}/${resourceType}s/${encodeURIComponent(id)}`;
}

/** RFC 7644 section 3.14. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** The most results of a page, and how many it has if the client does not say: what one request to the table can read. */
export const maxPageSize = 100;

/** A page of results (RFC 7644 section 3.4.2). */
export function listResponse(
  resources: readonly JsonObject[],
  { total, startIndex }: { readonly total: number } & Pick<IndexPage, 'startIndex'>,
): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
