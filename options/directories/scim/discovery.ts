import type { Attribute, AttributeSchema } from './attribute.ts';
import type { JsonObject } from './directory.ts';
import { groupSchema } from './group-schema.ts';
import { type BaseUrl, listResponse, maxPageSize } from './resource.ts';
import { serviceSchemas } from './service-schemas.ts';
import { enterpriseSchema, userSchema } from './user-schema.ts';

/** What SCIM says about itself at a path below `/scim/v2` (RFC 7644 section 4); undefined for any other path. */
export function discover(path: string, base: BaseUrl): JsonObject | undefined {
  const [, what, id] = /^\/(ServiceProviderConfig|ResourceTypes|Schemas)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (what === undefined) return undefined;
  if (what === 'ServiceProviderConfig') return id === undefined ? serviceProviderConfig(base) : undefined;
  const all = what === 'Schemas' ? schemas.map((schema) => schemaDocument(schema, base)) : resourceTypes(base);
  if (id === undefined) return listResponse(all, { total: all.length, startIndex: 1 });
  return all.find((one) => String(one.id).toLowerCase() === id.toLowerCase());
}

const schemas = [userSchema, enterpriseSchema, groupSchema, ...serviceSchemas];

function serviceProviderConfig(base: BaseUrl): JsonObject {
  const [unsupported, supported] = [{ supported: false }, { supported: true }];
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: supported,
    bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
    filter: { ...supported, maxResults: maxPageSize },
    changePassword: unsupported,
    sort: unsupported,
    etag: supported,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of a connection of the kind scim',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

function resourceTypes(base: BaseUrl): JsonObject[] {
  return [
    resourceType(userSchema, base, { schemaExtensions: [{ schema: enterpriseSchema.id, required: false }] }),
    resourceType(groupSchema, base),
  ];
}

function resourceType(
  { id: schema, name, description }: AttributeSchema,
  base: BaseUrl,
  more: JsonObject = {},
): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${name}s`,
    description,
    schema,
    ...more,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  };
}

function schemaDocument({ id, name, description, attributes }: AttributeSchema, base: BaseUrl): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributes.map(attributeDocument),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  };
}

function attributeDocument(attribute: Attribute): JsonObject {
  const { name, type, description, canonicalValues, referenceTypes, subAttributes } = attribute;
  return {
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    description,
    required: attribute.required ?? false,
    ...(type === 'string' || type === 'reference' ? { caseExact: attribute.caseExact ?? false } : {}),
    mutability: attribute.mutability ?? 'readWrite',
    returned: 'default',
    uniqueness: attribute.uniqueness ?? 'none',
    ...(canonicalValues && { canonicalValues }),
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(attributeDocument) }),
  };
}
