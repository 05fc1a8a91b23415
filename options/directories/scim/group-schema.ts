import type { AttributeSchema } from './attribute.ts';
import { declare, externalIdAttribute } from './user-schema.ts';

/** RFC 7643 section 4.2. A group has users and no other groups. */
export const groupSchema: AttributeSchema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'Group',
  attributes: [
    declare('displayName', 'The name, by which the connection assigns roles.', {
      required: true,
      caseExact: true,
      uniqueness: 'server',
    }),
    declare('members', 'The users in it.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        declare('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
        declare('$ref', 'The address of the user.', {
          type: 'reference',
          mutability: 'immutable',
          referenceTypes: ['User'],
        }),
        declare('type', 'The kind of the member.', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
  ],
};

/** The schemas of a group, with the attribute that all resources have. */
export const groupSchemas: readonly AttributeSchema[] = [
  { ...groupSchema, attributes: [...groupSchema.attributes, externalIdAttribute] },
];
