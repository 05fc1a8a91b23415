import type { AttributeSchema } from './attribute.ts';
import { declare } from './user-schema.ts';

const readOnly = { mutability: 'readOnly' } as const;
const flag = (name: string, description: string) =>
  declare(name, description, { type: 'boolean', required: true, ...readOnly });
const text = (name: string, description: string) => declare(name, description, { required: true, ...readOnly });
const number = (name: string, description: string) =>
  declare(name, description, { type: 'integer', required: true, ...readOnly });
const page = (name: string, description: string) =>
  declare(name, description, { type: 'reference', referenceTypes: ['external'], ...readOnly });
const schema = (description: string) =>
  declare('schema', description, {
    type: 'reference',
    referenceTypes: ['uri'],
    required: true,
    caseExact: true,
    ...readOnly,
  });
const exact = { caseExact: true, ...readOnly } as const;
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
      page('documentationUri', 'Documentation for people.'),
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
        type: 'complex',
        multiValued: true,
        required: true,
        ...readOnly,
        subAttributes: [
          text('type', 'The kind.'),
          text('name', 'The name.'),
          text('description', 'The description.'),
          page('specUri', 'The specification.'),
          page('documentationUri', 'Documentation for people.'),
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
      declare('endpoint', 'The address of the resources.', {
        type: 'reference',
        referenceTypes: ['uri'],
        required: true,
        ...readOnly,
      }),
      schema('The schema of the resources.'),
      declare('schemaExtensions', 'The extensions of the schema.', {
        type: 'complex',
        multiValued: true,
        ...readOnly,
        subAttributes: [schema('The schema of the extension.'), flag('required', 'Whether each resource has it.')],
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
        type: 'complex',
        multiValued: true,
        required: true,
        ...readOnly,
        subAttributes: [
          declare('name', 'The name.', { required: true, ...exact }),
          text('type', 'The type of its values.'),
          flag('multiValued', 'Whether it can have several values.'),
          declare('description', 'The description.', exact),
          declare('required', 'Whether each resource has it.', { type: 'boolean', ...readOnly }),
          declare('canonicalValues', 'The usual values.', { multiValued: true, ...exact }),
          declare('caseExact', 'Whether case matters.', { type: 'boolean', ...readOnly }),
          declare('mutability', 'Whether it can be changed.', exact),
          declare('returned', 'When it is returned.', exact),
          declare('uniqueness', 'Where values are unique.', exact),
          declare('referenceTypes', 'What it refers to.', { multiValued: true, ...exact }),
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
