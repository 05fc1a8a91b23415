import type { AttributeSchema } from './attribute.ts';
import { declare } from './user-schema.ts';

const readOnly = { mutability: 'readOnly' } as const;
const flag = (name: string, description: string) =>
  declare(name, description, { type: 'boolean', required: true, ...readOnly });
const text = (name: string, description: string) => declare(name, description, { required: true, ...readOnly });
const number = (name: string, description: string) =>
  declare(name, description, { type: 'integer', required: true, ...readOnly });
const address = (name: string, description: string) =>
  declare(name, description, { type: 'reference', referenceTypes: ['uri'], caseExact: true, ...readOnly });
const supported = flag('supported', 'Whether it is supported.');
const feature = (name: string, description: string, more = [supported]) =>
  declare(name, description, { type: 'complex', required: true, subAttributes: more, ...readOnly });

/** RFC 7643 section 8.7.2: the schemas of what describes the service itself. */
export const serviceSchemas: readonly AttributeSchema[] = [
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
    name: 'ServiceProviderConfig',
    description: 'Schema for representing the configuration of the service provider',
    attributes: [
      address('documentationUri', 'Documentation for people.'),
      feature('patch', 'PATCH.'),
      feature('bulk', 'Bulk operations.', [
        supported,
        number('maxOperations', 'The most operations.'),
        number('maxPayloadSize', 'The most bytes.'),
      ]),
      feature('filter', 'Filters.', [supported, number('maxResults', 'The most results.')]),
      feature('changePassword', 'Changes of passwords.'),
      feature('sort', 'Sorted results.'),
      feature('etag', 'Versions.'),
      declare('authenticationSchemes', 'How requests are authenticated.', {
        ...{ type: 'complex', multiValued: true, required: true, ...readOnly },
        subAttributes: [
          text('type', 'The kind.'),
          text('name', 'The name.'),
          text('description', 'The description.'),
          address('specUri', 'The specification.'),
          address('documentationUri', 'Documentation for people.'),
          declare('primary', 'Whether it is the preferred one.', { type: 'boolean', ...readOnly }),
        ],
      }),
    ],
  },
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
    name: 'ResourceType',
    description: 'Specifies the schema that describes a SCIM resource type',
    attributes: [
      text('name', 'The name.'),
      declare('description', 'The description.', readOnly),
      { ...address('endpoint', 'The address of the resources.'), required: true },
      { ...address('schema', 'The schema of the resources.'), required: true },
      declare('schemaExtensions', 'The extensions of the schema.', {
        ...{ type: 'complex', multiValued: true, ...readOnly },
        subAttributes: [
          { ...address('schema', 'The schema of the extension.'), required: true },
          flag('required', 'Whether each resource has it.'),
        ],
      }),
    ],
  },
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
    name: 'Schema',
    description: 'Specifies the schema that describes a SCIM schema',
    attributes: [
      text('name', 'The name.'),
      declare('description', 'The description.', readOnly),
      declare('attributes', 'The attributes.', {
        ...{ type: 'complex', multiValued: true, required: true, ...readOnly },
        subAttributes: [
          text('name', 'The name.'),
          text('type', 'The type of its values.'),
          flag('multiValued', 'Whether it can have several values.'),
          declare('description', 'The description.', readOnly),
          flag('required', 'Whether each resource has it.'),
          declare('canonicalValues', 'The usual values.', { multiValued: true, ...readOnly }),
          declare('caseExact', 'Whether case matters.', { type: 'boolean', ...readOnly }),
          text('mutability', 'Whether it can be changed.'),
          text('returned', 'When it is returned.'),
          declare('uniqueness', 'Where values are unique.', readOnly),
          declare('referenceTypes', 'What it refers to.', { multiValued: true, ...readOnly }),
          declare('subAttributes', 'Its parts, declared in the same way.', {
            type: 'complex',
            multiValued: true,
            ...readOnly,
          }),
        ],
      }),
    ],
  },
];
