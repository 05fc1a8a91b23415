import type { Attribute, AttributeSchema } from './attribute.ts';

type More = Partial<Omit<Attribute, 'name' | 'description'>>;

/** An attribute with text, unless it says otherwise. */
export function declare(name: string, description: string, more: More = {}): Attribute {
  return { name, type: 'string', description, ...more };
}

/** Several values with a type, of which one can be primary (RFC 7643 section 2.4). */
function typedValues(name: string, description: string, canonicalValues: readonly string[], more: More = {}) {
  return declare(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      declare('value', 'The value.', more),
      declare('display', 'The value for people.'),
      declare('type', 'What it is for.', canonicalValues.length > 0 ? { canonicalValues } : {}),
      declare('primary', 'Whether it is the preferred one.', { type: 'boolean' }),
    ],
  });
}

/** Common to all resources (RFC 7643 section 3.1), so no schema lists it. */
export const externalIdAttribute = declare('externalId', 'The id in the directory.');

/** Required, so that no client removes it: of a user without it nobody could say whether the user may log in. */
export const activeAttribute = declare('active', 'Whether the user may log in to any application.', {
  type: 'boolean',
  required: true,
});

export const userNameAttribute = declare('userName', 'The login name in the directory.', {
  required: true,
  uniqueness: 'server',
});

/** RFC 7643 section 4.1. Not declared are passwords and certificates, which this service never keeps. */
export const userSchema: AttributeSchema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'User Account',
  attributes: [
    userNameAttribute,
    declare('name', 'The parts of the name.', {
      type: 'complex',
      subAttributes: [
        declare('formatted', 'The whole name.'),
        declare('familyName', 'The family name.'),
        declare('givenName', 'The given name.'),
        declare('middleName', 'The middle names.'),
        declare('honorificPrefix', 'Such as a title.'),
        declare('honorificSuffix', 'Such as III.'),
      ],
    }),
    declare('displayName', 'The name for people.'),
    declare('nickName', 'The casual name.'),
    declare('profileUrl', "The address of the user's page.", { type: 'reference', referenceTypes: ['external'] }),
    declare('title', 'The job title.'),
    declare('userType', 'The relation to the organization.'),
    declare('preferredLanguage', 'The preferred language.'),
    declare('locale', 'The locale.'),
    declare('timezone', 'The time zone.'),
    activeAttribute,
    typedValues('emails', 'The e-mail addresses.', ['work', 'home', 'other']),
    typedValues('phoneNumbers', 'The telephone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    typedValues('ims', 'The addresses for instant messages.', []),
    typedValues('photos', 'The addresses of pictures.', ['photo', 'thumbnail'], {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    declare('addresses', 'The postal addresses.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        declare('formatted', 'The whole address.'),
        declare('streetAddress', 'The street.'),
        declare('locality', 'The city.'),
        declare('region', 'The state or region.'),
        declare('postalCode', 'The postal code.'),
        declare('country', 'The country.'),
        declare('type', 'What it is for.', { canonicalValues: ['work', 'home', 'other'] }),
        declare('primary', 'Whether it is the preferred one.', { type: 'boolean' }),
      ],
    }),
    declare('groups', 'The groups of this connection that the user is in; changed through the groups.', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        declare('value', 'The id of the group.', { mutability: 'readOnly', caseExact: true }),
        declare('$ref', 'The address of the group.', {
          type: 'reference',
          mutability: 'readOnly',
          referenceTypes: ['Group'],
        }),
        declare('display', 'The name of the group.', { mutability: 'readOnly' }),
        declare('type', 'How the user is in it.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
      ],
    }),
  ],
};

/** RFC 7643 section 4.3. */
export const enterpriseSchema: AttributeSchema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Enterprise User',
  attributes: [
    declare('employeeNumber', 'The number of the employee.'),
    declare('costCenter', 'The cost center.'),
    declare('organization', 'The organization.'),
    declare('division', 'The division.'),
    declare('department', 'The department.'),
    declare('manager', 'The manager.', {
      type: 'complex',
      subAttributes: [
        declare('value', 'The id of the manager.', { caseExact: true }),
        declare('$ref', 'The address of the manager.', { type: 'reference', referenceTypes: ['User'] }),
        declare('displayName', 'The name of the manager.'),
      ],
    }),
  ],
};

/**
 * What would decide about access in a way that this service does not implement, with what to do instead. Refused with a value,
 * because to ignore it would look like success.
 */
export const refusedAttributes: ReadonlyMap<string, string> = new Map(
  ['roles', 'entitlements'].map((name) => [name, 'is not supported: roles are assigned by groups. Remove its mapping']),
);
